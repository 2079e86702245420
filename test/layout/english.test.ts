import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

/** Phrases that are hard to read, and what to write instead. */
const PHRASES: readonly [phrase: RegExp, instead: string][] = [
  [/\b(?:is|are|was|were) no\b(?! (?:longer|more|less|fewer|later|earlier|newer|older)\b)/i, 'not'],
  [/\b(?:is|are|was|were|be) none\b/i, 'missing; does not exist; undefined'],
  [
    /(?<!-)\b(?:nobody|whoever|anybody|somebody)\b/i,
    'name who: the caller, another client, no caller',
  ],
  [/\b(?:go|goes|went|going|gone) by\b/i, 'use; match'],
  [/\bby then\b/i, 'say when'],
  [/\ball the same\b/i, 'despite that, or nothing; identical'],
  [/\bof which\b/i, 'two sentences; whose'],
  [/\bsuch\b(?! as\b)/i, 'name the thing'],
  [/\bwhat (?:is|was|were) (?:given|no)\b/i, "the caller's …; an invalid …"],
  [/\bunder way\b/i, 'pending; in flight'],
  [/\bon its way\b/i, 'pending; in flight'],
  [/\bbefall/i, 'apply to; affect'],
  [/\b(?:is|are|was|were|be|been|being) told\b/i, 'receives; knows'],
  [/\bsays? no\b/i, 'rejects'],
  [/\bthat there (?:is|are) (?:not|no)\b/i, 'unknown; missing'],
  [/\bas can be\b/i, 'as possible; say how many'],
]

/** Texts that quote a phrase on purpose. */
const QUOTING: readonly string[] = [
  'packages/local/src/durable/engine-error.ts', // messages of LevelDB
  'test/layout/english.test.ts',
]

const SKIPPED =
  /(?:^|\/)(?:node_modules|dist|\.tsc|\.git|snippets|results|api|packages\/[\w-]+\/docs)(?:\/|$)/
const PROSE = /\.(?:md|ts|mts|cts|mjs|cjs|js|txt)$/
const PLACES = ['.changeset', 'bench', 'docs', 'examples', 'packages', 'scripts', 'site', 'test']

/** A text file of the project, its path from the root. */
interface Text {
  readonly path: string
  /** On one line, without the marks of comments, so that phrases may cross lines. */
  readonly prose: string
}

const paths = [
  ...readdirSync(root).filter((name) => PROSE.test(name)),
  ...PLACES.flatMap((place) => filesBelow(place)),
]

const texts: readonly Text[] = paths
  .filter((path) => !QUOTING.includes(path))
  .map((path) => ({ path, prose: unwrapped(readFileSync(root + path, 'utf8')) }))

describe('the prose of the project', () => {
  it('is found', () => {
    expect(paths).toContain('README.md')
    expect(paths.filter((path) => path.startsWith('packages/')).length).toBeGreaterThan(50)
  })

  it.each(PHRASES)('does not contain %s', (phrase, instead) => {
    expect(
      texts.flatMap((text) => occurrences(text, phrase)),
      `write: ${instead}`,
    ).toEqual([])
  })
})

describe('the phrases', () => {
  it.each([
    'there is no table',
    'there is none',
    'Nobody reads it',
    'it goes by the ETag',
    'two, of which one is kept',
    'no such table',
    'what is given',
  ])('find "%s"', (prose) => {
    expect(PHRASES.some(([phrase]) => phrase.test(prose))).toBe(true)
  })

  it.each([
    'a name such as people',
    'it is no longer there',
    'it is not there',
    'by the end',
    'what is stored',
  ])('do not find "%s"', (prose) => {
    expect(PHRASES.filter(([phrase]) => phrase.test(prose))).toEqual([])
  })

  it('are found across the lines of a comment', () => {
    const prose = unwrapped('  /**\n   * Reads what is\n   * given.\n   */\n')
    expect(PHRASES.some(([phrase]) => phrase.test(prose))).toBe(true)
  })
})

function filesBelow(place: string): readonly string[] {
  return readdirSync(root + place, { recursive: true, encoding: 'utf8' })
    .map((path) => `${place}/${path}`)
    .filter((path) => PROSE.test(path) && !SKIPPED.test(path))
}

function unwrapped(text: string): string {
  return text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
}

/** Each occurrence with its surroundings, so that an editor can find it. */
function occurrences({ path, prose }: Text, phrase: RegExp): readonly string[] {
  const found = prose.matchAll(new RegExp(phrase, 'gi'))
  return Array.from(
    found,
    ({ index }) => `${path}: …${prose.slice(Math.max(0, index - 40), index + 40)}…`,
  )
}
