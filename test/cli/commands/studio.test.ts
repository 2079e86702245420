import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables

beforeAll(async () => {
  tables = await openTables()
  await tables.account.createTable('people')
  await tables.account.table('people').insert(new DynamicEntity('Smith', 'Jeff', { age: 30 }))
})
afterAll(() => tables[Symbol.asyncDispose]())

const URL_LINE = /^http:\/\/127\.0\.0\.1:(\d+)\/#token=([\w-]+)$/m

/** Runs a studio until it has printed its address and `use` is done. */
async function studio(line: string, use: (port: string, token: string) => Promise<void>) {
  return runCli(`studio --port 0 ${line}`, {
    target: tables.target,
    async onPrint(printed) {
      const [, port = '', token = ''] =
        URL_LINE.exec(printed) ?? URL_LINE.exec(String(JSON.parse(printed).url)) ?? []
      await use(port, token)
      return true
    },
  })
}

const enter = (port: string, token: string) =>
  fetch(`http://127.0.0.1:${port}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })

describe('rowkey studio', () => {
  it('prints an address that lets one browser in, and ends with 0 on Ctrl+C', async () => {
    const tokens: string[] = []
    const { code, printed, warned } = await studio('', async (port, token) => {
      tokens.push(token)
      const response = await enter(port, token)
      const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
      const facts = await fetch(`http://127.0.0.1:${port}/api/studio`, { headers: { cookie } })
      expect(await facts.json()).toEqual({
        account: 'devstoreaccount1',
        place: expect.stringMatching(/^127\.0\.0\.1:\d+\/devstoreaccount1$/),
        target: [],
        isWritable: false,
        types: [],
      })
    })
    expect([code, warned]).toEqual([0, ''])
    expect(printed).toMatch(
      /^The studio shows 127\.0\.0\.1:\d+\/devstoreaccount1, and changes nothing; --write allows it\. Open this address once; Ctrl\+C stops the studio\.\n/,
    )
    expect(tokens[0]?.length).toBe(43)
  })

  it('tells folders apart, so that a link to one does not show the rows of another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowkey-studio-'))
    const accounts: unknown[] = []
    const { code } = await studio(folder, async (port, token) => {
      const cookie = (await enter(port, token)).headers.get('set-cookie')?.split(';')[0] ?? ''
      const facts = await fetch(`http://127.0.0.1:${port}/api/studio`, { headers: { cookie } })
      accounts.push(((await facts.json()) as { readonly account: unknown }).account)
    })
    expect([code, accounts]).toEqual([0, [folder]])
    await rm(folder, { recursive: true })
  })

  it('starts with a signature for one table, which cannot list tables', async () => {
    const expiry = new Date(Date.now() + 60_000)
    const table = tables.account.table('people')
    const { token } = table.sas({ permissions: 'r', expiry, protocol: 'https,http' })
    const { origin, basePath } = tables.account.service.endpoint
    const listed: unknown[] = []
    const { code, warned } = await studio(
      `${origin}${basePath}/people?${token}`,
      async (port, secret) => {
        const cookie = (await enter(port, secret)).headers.get('set-cookie')?.split(';')[0] ?? ''
        const response = await fetch(`http://127.0.0.1:${port}/api/tables`, { headers: { cookie } })
        listed.push(await response.json())
      },
    )
    expect([code, warned, listed]).toEqual([0, '', [{}]])
  })

  it('prints JSON for programs', async () => {
    const { code, printed } = await studio('--json --write', async () => {})
    expect(code).toBe(0)
    expect(JSON.parse(printed)).toEqual({
      account: expect.stringContaining('devstoreaccount1'),
      url: expect.stringMatching(URL_LINE),
      port: expect.any(Number),
      write: true,
    })
  })

  it.each([
    ['studio --port 70000', 2, 'It must be a number from 0 to 65535. See rowkey studio --help.'],
    ['studio --public-url here', 2, 'It must be a URL such as http://localhost:8080/'],
    ['studio --public-url http://a:b@c/', 2, 'It must be a URL such as http://localhost:8080/'],
    ['studio --port x', 2, 'It must be a number from 0 to 65535. See rowkey studio --help.'],
    ['studio --prot 1', 2, "unknown option '--prot'. (Did you mean --port?)"],
    ['studio azurite more', 2, "too many arguments for 'studio'"],
    ['studio azurite --target azurite', 2, 'Give the target once'],
    ['studio @unknown', 2, 'The profile @unknown does not exist.'],
    ['studio nonsense', 2, 'The target is neither azurite'],
    ['studio --models missing.ts', 1, 'missing.ts'],
  ])('rejects "%s" with %i', async (line, code, message) => {
    const result = await runCli(line, { target: tables.target })
    expect([result.code, result.printed]).toEqual([code, ''])
    expect(result.warned).toContain(message)
    expect(result.warned).toMatch(/^rowkey: [^\n]*\n$/)
  })

  it('reports a wrong key before it listens, without the key', async () => {
    const target = tables.target.replace(/AccountKey=[^;]+/, 'AccountKey=c2VjcmV0')
    const { code, printed, warned } = await runCli(['studio', target, '--port', '0'])
    expect([code, printed]).toEqual([1, ''])
    expect(warned).toMatch(/^rowkey: .*devstoreaccount1/)
    expect(warned).not.toContain('c2VjcmV0')
  })

  it('names a port that is taken', async () => {
    await studio('', async (port) => {
      const other = await runCli(`studio --port ${port}`, { target: tables.target })
      expect([other.code, other.warned]).toEqual([
        1,
        `rowkey: The studio cannot listen on port ${port} (EADDRINUSE). Give another --port; 0 selects a free one.\n`,
      ])
    })
  })
})
