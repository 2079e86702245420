import { describe, expect, it } from 'vitest'
import { checkExpression } from '../../scripts/regular-expressions/check-expression.ts'
import { findExpressions } from '../../scripts/regular-expressions/find-expressions.ts'

const sourcesIn = (text: string) => findExpressions(text).map(({ source }) => source)

/** `npm run tool regexps` checks every expression of the packages; it takes too long for a test. */
describe('the check of regular expressions', () => {
  it('finds a literal with its flags and its line', () => {
    expect(findExpressions('\nconst END = /a\\/b$/gi')).toEqual([
      { line: 2, source: 'a\\/b$', flags: 'gi' },
    ])
  })

  it('finds expressions that are made from constants of the file', () => {
    expect(
      sourcesIn(`
        const MOST = 3
        const WORD = String.raw\`\\w\`
        const PAIR = \`\${WORD}{\${MOST}}\`
        const WORDS = new RegExp(\`^\${PAIR}$\`, 'u')
        const ANY_CASE = RegExp(/a/, 'i')`),
    ).toEqual(['^\\w{3}$', 'a', 'a'])
  })

  it('finds expressions whose pattern is not known', () => {
    expect(sourcesIn('const ANY = (name: string) => new RegExp(name)')).toEqual([undefined])
    expect(sourcesIn("import { A } from './a.ts'\nconst B = new RegExp(A)")).toEqual([undefined])
  })

  it.each(['-eyJ[\\w-]+\\.', '\\s+$', '(?:a|a)*b', '<.*>.*<'])('rejects /%s/', (source) => {
    expect(checkExpression(source, '').status).toBe('vulnerable')
  })

  it.each(['^\\s+$', '-eyJ[\\w.-]{7,}', '(?<!\\s)\\s+$'])('accepts /%s/', (source) => {
    expect(checkExpression(source, '').status).toBe('safe')
  })
})
