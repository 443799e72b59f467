// Prints, as JSON, what Rust's regex crate knows of Unicode: the general category of each
// code point, the characters that are equal when case is ignored, and the scripts.
// It runs in `web/`, which has the package.

import { createRequire } from 'node:module'

const { RRegex } = createRequire(`${process.cwd()}/`)('rregex')

const LAST = 0x10ffff
const CATEGORIES = (
  'Cc Cf Cn Co Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs'
).split(' ')
const SCRIPTS = (
  'Arabic Cyrillic Devanagari Greek Han Hangul Hebrew Hiragana Katakana Latin Thai'
).split(' ')

const isSurrogate = (code) => code >= 0xd800 && code <= 0xdfff

const characters = []
for (let code = 0; code <= LAST; code++) {
  if (!isSurrogate(code)) characters.push(String.fromCodePoint(code))
}
const everything = characters.join('')

/** Returns the ranges of code points that a class matches, as `[first, last]`. */
function rangesOf(pattern) {
  const ranges = []
  const regex = new RRegex(pattern)
  for (const { value } of regex.findAll(everything)) {
    for (const character of value) {
      const code = character.codePointAt(0)
      const last = ranges.at(-1)
      if (last !== undefined && last[1] === code - 1) last[1] = code
      else ranges.push([code, code])
    }
  }
  regex.free()
  return ranges
}

const cased = rangesOf('[\\p{Changes_When_Casemapped}\\p{Changes_When_Casefolded}]+').flatMap(
  ([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index),
)
const casedText = cased.map((code) => String.fromCodePoint(code)).join('')
const orbits = new Map()
for (const code of cased) {
  const regex = new RRegex(`(?i:\\x{${code.toString(16)}})`)
  const orbit = regex.findAll(casedText).map(({ value }) => value.codePointAt(0))
  regex.free()
  if (orbit.length > 1) orbits.set(orbit.join(' '), orbit)
}

process.stdout.write(
  JSON.stringify({
    categories: CATEGORIES.map((name) => [name, rangesOf(`\\p{${name}}+`)]),
    orbits: [...orbits.values()],
    scripts: SCRIPTS.map((name) => [name, rangesOf(`\\p{Script=${name}}+`)]),
    word: rangesOf('\\w'),
    space: rangesOf('\\s'),
  }),
)
