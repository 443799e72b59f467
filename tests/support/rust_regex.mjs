// Answers, with Rust's own regex crate, where patterns match: `node rust_regex.mjs IN OUT`.
// It runs in `web/`, which has the package.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { RRegex } = createRequire(`${process.cwd()}/`)('rregex')
const [, , from, to] = process.argv

function answer({ pattern, lines }) {
  let regex
  try {
    // ripgrep parses the pattern so, and its errors show that; it also sets the flag `m`.
    new RRegex(`(?:${pattern})`).free()
    regex = new RRegex(`(?m:${pattern})`)
  } catch (error) {
    return { error: String(error.message ?? error) }
  }
  const spans = lines.map((line) => regex.findAll(line).map(({ start, end }) => [start, end]))
  regex.free()
  return { spans }
}

writeFileSync(to, JSON.stringify(JSON.parse(readFileSync(from, 'utf8')).map(answer)))
