// Copy buttons, the version of an act on a day, the way to a name, and the search. Pages read and
// link without this file.
"use strict";
const find = (selector) => document.querySelector(selector);

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    const label = button.textContent;
    button.textContent = "✓ " + label;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

const dayForm = find(".on-day");
const versions = find(".timeline")?.children;
if (dayForm && versions) {
  dayForm.hidden = false;
  dayForm.addEventListener("submit", (event) => {
    event.preventDefault();
    const day = dayForm.querySelector("input").value;
    const found = [...versions].find((each) =>
      (each.dataset.from || each.dataset.until) &&
      (!each.dataset.from || each.dataset.from <= day) && (!each.dataset.until || day < each.dataset.until));
    const link = found && found.querySelector(":scope > a");
    if (link) location.href = link.href;
    else dayForm.querySelector("output").textContent = found ? found.textContent.trim() : dayForm.dataset.none;
  });
}

// The folder of a name, by the rules of lexurn.pages.paths; null where the text is not a name.
const refused = /[/\\<>:"|?*\x00-\x1f\x7f-\x9f]|^_|^\.{0,2}$|[. ]$|^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i;
async function locateFolder(text) {
  const name = /^urn:lex:([^?#]+)/i.exec(text)?.[1].toLowerCase().replace(/:/g, "/").replace(/[@$]/g, "/$&/");
  const path = name ?? /(?:^|\/)lex\/([^?#]+?)(\/(index\.html)?)?([?#].*)?$/.exec(text)?.[1];
  if (!path) return null;
  const segments = path.split("/").map(decodeURIComponent).map(async (segment) => {
    const bytes = new TextEncoder().encode(segment);
    if (bytes.length <= 200 && !refused.test(segment)) return segment;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 8);
    const hex = [...digest].map((each) => each.toString(16).padStart(2, "0")).join("");
    return "_" + segment.replace(/[^A-Za-z0-9.;,@$=-]/g, "").slice(0, 40) + "-" + hex;
  });
  return "lex/" + (await Promise.all(segments)).map((each) => encodeURI(each).replace(/#/g, "%23")).join("/") + "/";
}

const findForm = find(".find");
if (findForm) {
  const { root, search, notAName, noPage, noPath } = findForm.dataset;
  const text = findForm.elements.q;
  findForm.hidden = false;
  findForm.addEventListener("submit", async (event) => {
    const isName = /^urn:lex:|(^|\/)lex\//i.test(text.value.trim());
    if (!isName && search !== undefined) return;
    event.preventDefault();
    const output = findForm.querySelector("output");
    const folder = isName && await locateFolder(text.value.trim()).catch(() => "");
    if (!folder) { output.textContent = folder === "" ? noPath : notAName; return; }
    const page = root + folder + "index.html";
    const answer = await fetch(page, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 404) output.textContent = noPage;
    else location.href = page;
  });
}

const found = find("#found");
if (found && location.search) {
  const values = new URLSearchParams(location.search);
  const filters = {};
  for (const each of findForm.elements) {
    if (!each.name || !values.get(each.name)) continue;
    each.value = values.get(each.name);
    if (each.name !== "q") filters[each.name] = each.value;
  }
  (async () => {
    const { languages } = await (await fetch("pagefind/pagefind-entry.json")).json();
    const own = document.documentElement.lang;
    // Each language has an index, and each index its own copy of pagefind, which reads <html lang>.
    const searches = Object.keys(languages).map(async (language) => {
      const { createInstance } = await import(`./pagefind/pagefind.js?${language}`);
      document.documentElement.lang = language;
      const index = createInstance({ noWorker: true });
      document.documentElement.lang = own;
      return index.search(findForm.elements.q.value || null, { filters });
    });
    const results = (await Promise.all(searches)).flatMap((each) => each.results);
    results.sort((one, other) => other.score - one.score);
    found.textContent = found.dataset.results.replace("{count}", results.length);
    const more = find("#more");
    more.addEventListener("click", async () => {
      for (const { url, meta, plain_excerpt } of await Promise.all(results.splice(0, 20).map((each) => each.data()))) {
        const item = find("#results").appendChild(document.createElement("li"));
        const link = item.appendChild(document.createElement("a"));
        link.href = url;
        link.textContent = meta.title;
        item.append(" ", Object.assign(document.createElement("small"), { textContent: plain_excerpt }));
      }
      more.hidden = !results.length;
    });
    more.click();
  })().catch(() => { found.textContent = found.dataset.failed; });
}
