import { expect, it } from 'vitest'
import { HELP_TEXT } from '../../../packages/rowkey/src/command/help-text.ts'
import { parseServeOptions } from '../../../packages/rowkey/src/command/serve-options.ts'

const VALUES: Readonly<Record<string, string>> = {
  flavour: 'cosmos',
  account: 'contoso=AAAA',
  'allow-host': 'tables.example.com',
  data: './data',
  host: '127.0.0.1',
  port: '0',
}

it('the help lists every option and fits a terminal of 100 columns', () => {
  const named = Array.from(HELP_TEXT.matchAll(/^ {2}--([a-z-]+)/gm), ([, name = '']) => name)
  expect(named).toContain('data')
  for (const name of named) {
    const args = name in VALUES ? [`--${name}`, String(VALUES[name])] : [`--${name}`]
    expect(() => parseServeOptions(args)).not.toThrow()
  }
  for (const line of HELP_TEXT.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})
