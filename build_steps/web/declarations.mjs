// Prints what the entries of the npm package declare, from the emitted declarations:
//     node declarations.mjs COMPILER ENTRIES
// COMPILER is the address of TypeScript's own module; ENTRIES is a JSON object: the file of each
// entry, by the name that imports it. Comments and private members are left out.
import { dirname } from "node:path";
import { argv, stdout } from "node:process";

const { default: ts } = await import(argv[2]);
const entries = new Map(Object.entries(JSON.parse(argv[3])));

const program = ts.createProgram([...entries.values()], {
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  noLib: true,
  types: [],
});
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });
const folder = dirname(entries.get("treeglass"));

/** The entry that shows a declaration, by its symbol. */
const shown = new Map();
const lines = [];
for (const [entry, file] of entries) {
  lines.push(`## ${entry}`, "", ...linesOf(entry, program.getSourceFile(file)));
}
lines.push("## Added to the page's types, and to those of frameworks", "", ...additions());
lines.push("## Named by these, and exported by no entry", "");
const others = byName([...reachedFrom(shown.keys())]);
lines.push(...others.flatMap((symbol) => [...declarationsOf(symbol), ""]));
stdout.write(`${lines.join("\n").trimEnd()}\n`);

function linesOf(entry, source) {
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const found = byName(exported).map((symbol) => [symbol.name, originalOf(symbol)]);
  const again = new Map();
  for (const [name, symbol] of found) {
    const other = shown.get(symbol);
    if (other !== undefined) {
      again.set(other, [...(again.get(other) ?? []), name]);
    }
  }
  const first = found.filter(([, symbol]) => !shown.has(symbol));
  for (const [, symbol] of first) {
    shown.set(symbol, entry);
  }
  return [
    ...[...again].flatMap(([other, names]) => [`As in ${other}: ${names.join(", ")}`, ""]),
    ...first.flatMap(([name, symbol]) => [
      ...(name === symbol.name ? [] : [`// as ${name}`]),
      ...declarationsOf(symbol),
      "",
    ]),
  ];
}

function additions() {
  const sources = program.getSourceFiles().filter(({ fileName }) => isOwnFile(fileName));
  return sources
    .toSorted(({ fileName: a }, { fileName: b }) => compare(a, b))
    .flatMap(({ statements }) => statements.filter(ts.isModuleDeclaration))
    .flatMap((node) => [print(node), ""]);
}

function originalOf(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function declarationsOf(symbol) {
  return symbol.declarations.map((node) =>
    print(ts.isVariableDeclaration(node) ? node.parent.parent : node),
  );
}

function print(node) {
  const isPublic = (member) =>
    !(member.name && ts.isPrivateIdentifier(member.name)) &&
    !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private);
  const kept = ts.isClassDeclaration(node)
    ? ts.factory.updateClassDeclaration(
        node,
        node.modifiers,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members.filter(isPublic),
      )
    : node;
  const text = printer.printNode(ts.EmitHint.Unspecified, kept, node.getSourceFile());
  return text.replace(/^export /, "").replace(/^declare /, "");
}

/** Returns what the declarations of symbols name in turn, declared by the package itself. */
function reachedFrom(symbols) {
  const reached = new Set();
  const waiting = [...symbols];
  const look = (node) => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      const original = symbol && originalOf(symbol);
      if (original && isOwn(original) && !shown.has(original) && !reached.has(original)) {
        reached.add(original);
        waiting.push(original);
      }
    }
    ts.forEachChild(node, look);
  };
  for (let symbol = waiting.pop(); symbol; symbol = waiting.pop()) {
    symbol.declarations.forEach(look);
  }
  return reached;
}

/** Tells whether a symbol is declared at the top of one of the package's modules. */
function isOwn(symbol) {
  const [node] = symbol.declarations ?? [];
  const statement = node && ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return (
    statement !== undefined &&
    ts.isSourceFile(statement.parent ?? statement) &&
    statement !== node?.getSourceFile() &&
    isOwnFile(node.getSourceFile().fileName)
  );
}

function isOwnFile(fileName) {
  return fileName.startsWith(`${folder}/`);
}

function byName(symbols) {
  return symbols.toSorted(({ name: a }, { name: b }) => compare(a, b));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
