import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

const page = readFileSync(`${root}CONTRIBUTING.md`, 'utf8')
const glossary = page.slice(page.indexOf('## Words of the core'), page.indexOf('## Commits'))

/** The words, and the files that they lead to. */
const words = Array.from(
  glossary.matchAll(/^\| \[`(\w+)`\]\((\S+)\) \|/gm),
  ([, word = '', path = '']) => ({ word, path }),
)

describe('the words of the core', () => {
  it.each(words)('are names that their files export: $word', ({ word, path }) => {
    const exported = new RegExp(
      `^export (?:async )?(?:class|const|function\\*?|interface|type) ${word}\\b`,
      'm',
    )
    expect(readFileSync(`${root}${path}`, 'utf8')).toMatch(exported)
  })

  it('are explained once, and counted', () => {
    expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)
    expect(glossary).toContain(` ${words.length} terms.`)
    expect(glossary.match(/^\| \[/gm)).toHaveLength(words.length)
  })
})
