// Searches a site in Chromium: node search_browser.mjs MODULES CHROMIUM BASE
// Standard input has a JSON object: {"searches": ["q=...", ...], "names": ["urn:lex:...", ...]}.
// Prints one: for each search the status and the paths of the results, for each name typed into the
// box of the home page, and into that at the top of another, the path that it leads to, or the message.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [modules, executablePath, base] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "..", "package.json"))("playwright-core");
const { searches, names } = JSON.parse(readFileSync(0, "utf-8"));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
const found = { searches: {}, names: {}, errors };
for (const search of searches) {
  await page.goto(`${base}/search.html?${search}`);
  await page.waitForFunction(() => document.querySelector("#found").textContent);
  await page.waitForFunction(() => document.querySelector("#results li") || / 0$/.test(document.querySelector("#found").textContent));
  const status = await page.textContent("#found");
  found.searches[search] = [status, await page.$$eval("#results a", (links) => links.map((each) => decodeURI(new URL(each.href).pathname)))];
}
const isDone = () => location.pathname.includes("/lex/")
  || [".find output", "#found"].some((each) => document.querySelector(each)?.textContent);
for (const name of names) {
  found.names[name] = [];
  for (const [start, box] of [["index.html", "#q"], ["about.html", ".seek input"]]) {
    await page.goto(`${base}/${start}`);
    await page.fill(box, name);
    await page.press(box, "Enter");
    await page.waitForFunction(isDone);
    const message = await page.$eval(".find output", (each) => each.textContent).catch(() => "");
    found.names[name].push(message || decodeURI(new URL(page.url()).pathname));
  }
}
console.log(JSON.stringify(found));
await browser.close();
