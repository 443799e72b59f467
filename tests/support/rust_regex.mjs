// Answers, with Rust's own regex crate, where patterns match: `node rust_regex.mjs IN OUT`.
// It runs in `web/`, which has the package.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { RRegex } = createRequire(`${process.cwd()}/`)('rregex')
const [, , from, to] = process.argv

// ripgrep parses the pattern without the flag first, and its errors show that.
function complaintAbout(pattern) {
  try {
    new RRegex(`(?:${pattern})`).free()
  } catch (error) {
    return String(error.message ?? error)
  }
  throw new Error(`Only the flag makes ${pattern} invalid.`)
}

function answer({ pattern, lines }) {
  let regex
  try {
    // ripgrep sets the flag `m`.
    regex = new RRegex(`(?m:${pattern})`)
  } catch {
    return { error: complaintAbout(pattern) }
  }
  const spans = lines.map((line) => regex.findAll(line).map(({ start, end }) => [start, end]))
  regex.free()
  return { spans }
}

writeFileSync(to, JSON.stringify(JSON.parse(readFileSync(from, 'utf8')).map(answer)))
