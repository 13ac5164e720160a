// Reads RDF on standard input with another's parser and prints it as N-Triples or N-Quads.
// node graph_readers.mjs n3 text/turtle | jsonld [URL=FILE] | frame FRAME-FILE
// Packages are in LEXURN_NODE_MODULES. A context URL is read from its FILE.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const folder = resolve(process.env.LEXURN_NODE_MODULES ?? "node_modules");
const load = createRequire(join(folder, "x.js"));
const [task, option] = process.argv.slice(2);
const text = readFileSync(0, "utf8");

if (task === "n3") {
  const { Parser, Writer } = load("n3");
  const quads = new Parser({ format: option }).parse(text);
  const writer = new Writer({ format: "application/n-quads" });
  writer.addQuads(quads);
  writer.end((error, result) => process.stdout.write(result));
} else {
  const jsonld = load("jsonld");
  const [known, file] = task === "jsonld" ? (option ?? "").split("=") : [];
  const offline = (url) => {
    if (url !== known) throw new Error(`no document is loaded here: ${url}`);
    return { contextUrl: null, documentUrl: url, document: JSON.parse(readFileSync(file, "utf8")) };
  };
  const options = { documentLoader: offline };
  if (task === "jsonld") {
    const nquads = { ...options, format: "application/n-quads" };
    process.stdout.write(await jsonld.toRDF(JSON.parse(text), nquads));
  } else {
    const graph = await jsonld.fromRDF(text, { ...options, format: "application/n-quads" });
    const frame = JSON.parse(readFileSync(option, "utf8"));
    const framed = await jsonld.frame(graph, frame, { ...options, omitGraph: false });
    process.stdout.write(JSON.stringify(framed));
  }
}
