import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

const rows = readFileSync(`${root}docs/project/protocol.md`, 'utf8').matchAll(
  /^\| (?!-)(.+) \| (?!test \|)(.+) \|$/gm,
)

/** A rule of the protocol, and the tests that show it. */
const rules = Array.from(rows, ([, rule = '', tests = '']) => [rule, tests.split(', ')] as const)

describe('the list of the protocol', () => {
  it('is found', () => {
    expect(rules.length).toBeGreaterThan(30)
  })

  it.each(rules)('names existing tests: %s', (_, tests) => {
    expect(tests.filter((test) => !existsSync(`${root}test/local/${test}.test.ts`))).toEqual([])
  })
})
