// Opens pages in Chromium: node page_browser.mjs MODULES CHROMIUM OUT VIEW,... [NAME=URL ...]
// Prints one JSON line for each page and view: what overflows, what axe finds, errors of the console.
// With an OUT other than "-", it writes a screenshot of each view there.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [modules, executablePath, out, chosen, ...pages] = process.argv.slice(2);
const require = createRequire(join(modules, "..", "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");
const views = [
  { name: "phone320", width: 320, height: 640, colorScheme: "light" },
  { name: "phone-light", width: 390, height: 844, colorScheme: "light" },
  { name: "phone-dark", width: 390, height: 844, colorScheme: "dark" },
  { name: "desktop-light", width: 1280, height: 900, colorScheme: "light" },
  { name: "desktop-dark", width: 1280, height: 900, colorScheme: "dark" },
];
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const { name: view, width, height, colorScheme } of views.filter((each) => chosen.split(",").includes(each.name))) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, bypassCSP: true });
  for (const page of pages) {
    const [name, url] = [page.slice(0, page.indexOf("=")), page.slice(page.indexOf("=") + 1)];
    const tab = await context.newPage();
    const errors = [];
    tab.on("pageerror", (error) => errors.push(String(error)));
    tab.on("requestfailed", (request) => errors.push(request.url()));
    await tab.goto(url);
    const overflow = await tab.evaluate(() => {
      const width = document.documentElement.clientWidth;
      const inside = (each) => each.parentElement?.closest(".wide, svg");
      return [...document.body.querySelectorAll("*")]
        .filter((each) => each.getBoundingClientRect().right > width + 1 && !inside(each))
        .map((each) => each.outerHTML.slice(0, 120));
    });
    const faults = [...errors]; // axe itself asks for files again
    await tab.evaluate(axe);
    const found = await tab.evaluate(() => globalThis.axe.run());
    const violations = found.violations.map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`);
    if (out !== "-") await tab.screenshot({ path: join(out, `${name}-${view}.png`), fullPage: true });
    console.log(JSON.stringify({ name, view, overflow, violations, errors: faults }));
    await tab.close();
  }
  await context.close();
}
await browser.close();
