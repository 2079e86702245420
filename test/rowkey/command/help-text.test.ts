import { expect, it } from 'vitest'
import { HELP_TEXT } from '../../../packages/rowkey/src/command/help-text.ts'
import { parseServeOptions } from '../../../packages/rowkey/src/command/serve-options.ts'

const TLS = ['--cert', 'cert.pem', '--key', 'key.pem']
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  flavour: ['--flavour', 'cosmos'],
  account: ['--account', 'contoso=AAAA'],
  'allow-host': ['--allow-host', 'tables.example.com'],
  data: ['--data', './data'],
  host: ['--host', '127.0.0.1'],
  port: ['--port', '0'],
  seed: ['--seed', 'seed.json'],
  log: ['--log', 'json'],
  cert: TLS,
  key: TLS,
  oauth: ['--oauth', 'basic', ...TLS],
}

it('the help lists every option and fits a terminal of 100 columns', () => {
  const named = Array.from(HELP_TEXT.matchAll(/^ {2}--([a-z-]+)/gm), ([, name = '']) => name)
  expect(named).toContain('data')
  for (const name of named) {
    expect(() => parseServeOptions(ARGUMENTS[name] ?? [`--${name}`])).not.toThrow()
  }
  for (const line of HELP_TEXT.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})
