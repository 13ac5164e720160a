// Opens pages in Chromium: node page_browser.mjs MODULES CHROMIUM OUT VIEW,... [KIND=URL ...]
// Prints one JSON line for each page and view, with its faults: what overflows, what axe finds, errors
// of the console. View "keyboard" walks with Tab and copies with Enter; view "bare" has no CSS and no
// JavaScript. With an OUT other than "-", a view of a size writes a screenshot of each page there.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [modules, executablePath, out, chosen, ...pages] = process.argv.slice(2);
const require = createRequire(join(modules, "..", "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");
const views = {};
for (const [device, width, height] of [["phone320", 320, 640], ["phone390", 390, 844], ["desktop", 1280, 900]])
  for (const colorScheme of ["light", "dark"])
    views[`${device}-${colorScheme}`] = { viewport: { width, height }, colorScheme, check: look };
views.keyboard = { viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"], check: walk };
views.bare = { javaScriptEnabled: false, check: read };

// Lists what leaves the page on the right, and what axe finds; writes the screenshot.
async function look(tab, kind, view) {
  const overflow = await tab.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const inside = (each) => each.parentElement?.closest(".wide, svg");
    return [...document.body.querySelectorAll("*")]
      .filter((each) => !inside(each))
      .filter((each) => each.getBoundingClientRect().right > width + 1 || each.getBoundingClientRect().left < -1)
      .filter((each) => each.getBoundingClientRect().width > 1 && getComputedStyle(each).position !== "absolute")
      .map((each) => `overflow: ${each.outerHTML.slice(0, 120)}`)
      .concat([...document.body.querySelectorAll("*")].filter((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return /^\d+$/.test(each.textContent) && !each.children.length && range.getClientRects().length > 1;
      }).map((each) => `broken number: ${each.outerHTML.slice(0, 120)}`))
      .concat(document.documentElement.scrollWidth > width ? [`scrolls: ${document.documentElement.scrollWidth}`] : []);
  });
  if (out !== "-") await tab.screenshot({ path: join(out, `${kind}-${view}.png`), fullPage: true });
  await tab.evaluate(axe);
  const found = await tab.evaluate(() => globalThis.axe.run());
  return overflow.concat(found.violations.map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`));
}

// Presses Tab through the page: each stop shows its focus and lies in the window; Enter copies. The parts
// of a date field show their focus themselves.
async function walk(tab) {
  const faults = [];
  const stops = await tab.evaluate(() =>
    [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")].filter(
      (each) => each.checkVisibility() && !each.disabled && each.tabIndex >= 0).length);
  let copied = false;
  for (let stop = 0; stop < Math.min(stops, 40); stop += 1) {
    await tab.keyboard.press("Tab");
    const now = await tab.evaluate(() => {
      const each = document.activeElement;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
      const { top, bottom, right } = each.getBoundingClientRect();
      return {
        html: each.outerHTML.slice(0, 100),
        isBody: each === document.body,
        isVisible: each.type === "date" || (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none",
        isInWindow: bottom > 0 && top < innerHeight && right > 0,
        copies: each.localName === "button" && each.textContent === document.querySelector("main").dataset.copy,
        label: each.textContent,
      };
    });
    if (now.isBody) { faults.push(`Tab ends after ${stop} of ${stops} stops`); break; }
    if (!now.isVisible) faults.push(`no visible focus: ${now.html}`);
    if (!now.isInWindow) faults.push(`focus outside the window: ${now.html}`);
    if (now.copies && !copied) {
      copied = true;
      await tab.evaluate(() => navigator.clipboard.writeText("nothing"));
      await tab.keyboard.press("Enter");
      const changed = await tab.waitForFunction((label) => document.activeElement.textContent !== label, now.label, { timeout: 2000 })
        .catch(() => null);
      const [text, expected] = await tab.evaluate(async () =>
        [await navigator.clipboard.readText(), document.activeElement.parentNode.querySelector("code").textContent]);
      if (text !== expected) faults.push(`copied: ${text}`);
      if (!changed) faults.push("copying changes no text");
    }
  }
  if (!copied && await tab.locator(".name code").count()) faults.push("Tab does not reach a copy button");
  return faults;
}

// Looks at the page without CSS and JavaScript: its texts and links are there.
async function read(tab) {
  return tab.evaluate(() => {
    const faults = [];
    const text = document.body.innerText;
    for (const each of document.querySelectorAll("h1, h2, .name code"))
      if (each.checkVisibility() && !text.includes(each.innerText.trim())) faults.push(`not in the text: ${each.outerHTML.slice(0, 120)}`);
    for (const each of document.querySelectorAll("a[href]")) {
      if (!each.checkVisibility() && !each.closest("details")) faults.push(`hidden: ${each.outerHTML.slice(0, 120)}`);
      if (!(each.textContent.trim() || each.getAttribute("aria-label"))) faults.push(`no text: ${each.outerHTML.slice(0, 120)}`);
    }
    for (const each of document.querySelectorAll("button, input:not([type=hidden])"))
      if (each.checkVisibility() && !each.form?.action) faults.push(`needs a script: ${each.outerHTML.slice(0, 120)}`);
    return faults;
  });
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const view of chosen.split(",")) {
  const { check, ...options } = views[view];
  const context = await browser.newContext({ bypassCSP: true, ...options });
  if (view === "bare") await context.route("**/*.css", (route) => route.abort());
  const tab = await context.newPage(); // one for all pages: a new one costs as much as the rest
  let errors = [];
  tab.on("pageerror", (error) => errors.push(String(error)));
  if (view !== "bare") tab.on("requestfailed", (request) => errors.push(`failed: ${request.url()}`));
  for (const page of pages) {
    const [kind, url] = [page.slice(0, page.indexOf("=")), page.slice(page.indexOf("=") + 1)];
    errors = [];
    await tab.goto(url);
    const before = [...errors]; // axe itself asks for files again
    const faults = before.concat(await check(tab, kind, view));
    console.log(JSON.stringify({ kind, view, faults }));
  }
  await context.close();
}
await browser.close();
