// Copy and download buttons, the versions of an act on a day, the way to a name, and the search.
// Pages read and link without this file.
"use strict";
const find = (selector) => document.querySelector(selector);

const { copy, save } = find("main")?.dataset ?? {};
function addButton(place, label, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", async () => {
    await action();
    button.textContent = "✓ " + label;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  place.append(" ", button);
}
for (const text of copy ? document.querySelectorAll(".name code, pre") : []) {
  if (navigator.clipboard) addButton(text.parentNode, copy, () => navigator.clipboard.writeText(text.textContent));
  if (!text.dataset.file) continue;
  addButton(text.parentNode, save, () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text.textContent]));
    link.download = find(".name code").textContent.replace(/[^A-Za-z0-9.-]+/g, "-") + "." + text.dataset.file;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

const dayForm = find(".on-day");
if (dayForm) {
  dayForm.hidden = false;
  dayForm.addEventListener("submit", (event) => {
    event.preventDefault();
    const day = dayForm.querySelector("input").value;
    const lists = [...document.querySelectorAll(".timeline")];
    const found = lists.map((list) => [...list.children].find(({ dataset: { from, until } }) =>
      (from || until) && (!from || from <= day) && (!until || day < until))).filter(Boolean);
    const links = found.map((each) => each.querySelector(":scope > a"));
    if (lists.length === 1 && links[0]) { location.href = links[0].href; return; }
    const lines = found.map((each, index) => {
      const line = document.createElement("p");
      if (lists.length > 1) line.append(each.closest("section").querySelector("h2").textContent, ": ");
      line.append(links[index]?.cloneNode(true) ?? each.firstChild.textContent.trim());
      return line;
    });
    dayForm.querySelector("output").replaceChildren(...(lines.length ? lines : [dayForm.dataset.none]));
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

const isName = (text) => /^urn:lex:|(^|\/)lex\//i.test(text.trim());
const findForm = find(".find");
if (findForm) {
  const { root, search, notAName, noPage, noPath } = findForm.dataset;
  const text = findForm.elements.q;
  findForm.hidden = false;
  findForm.addEventListener("submit", async (event) => {
    if (!isName(text.value) && search !== undefined) return;
    event.preventDefault();
    const output = findForm.querySelector("output");
    const folder = isName(text.value) && await locateFolder(text.value.trim()).catch(() => "");
    if (!folder) { output.textContent = folder === "" ? noPath : notAName; return; }
    const page = root + folder + "index.html";
    const answer = await fetch(page, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 404) output.textContent = noPage;
    else if (event.submitter) location.href = page;
    else location.replace(page);
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
  const fold = (word) => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const text = findForm.elements.q.value;
  const starts = fold(text).match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,3}/gu) || [];
  // A name from the search box of another page leads to its page.
  if (isName(text)) findForm.requestSubmit();
  else (async () => {
    const { languages } = await (await fetch("pagefind/pagefind-entry.json")).json();
    const own = document.documentElement.lang;
    // Each language has an index, and each index its own copy of pagefind, which reads <html lang>.
    const searches = Object.keys(languages).map(async (language) => {
      const { createInstance } = await import(`./pagefind/pagefind.js?${language}`);
      document.documentElement.lang = language;
      const index = createInstance({ noWorker: true });
      document.documentElement.lang = own;
      const { results } = await index.search(text.trim() || null, { filters });
      // A word that an index does not have is shortened until one is found, down to its first letter.
      const marked = text && results.length && /<mark>([^<]*)/.exec((await results[0].data()).excerpt)?.[1];
      return !marked || starts.some((each) => fold(marked).includes(each)) ? results : [];
    });
    const results = (await Promise.all(searches)).flat();
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
