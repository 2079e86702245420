import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CliSettings, runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables
const run = (line: string | readonly string[], settings: CliSettings = {}) =>
  runCli(line, { target: tables.target, ...settings })
const stored = async () => {
  const row = await tables.account.table('people').find(['Smith', 'Jeff'])
  return row && Object.fromEntries([...row.properties].map(([name, { value }]) => [name, value]))
}

beforeAll(async () => {
  tables = await openTables()
  await tables.account.createTable('people')
})
afterAll(() => tables[Symbol.asyncDispose]())
beforeEach(async () => {
  await tables.account
    .table('people')
    .insertOrReplace(new DynamicEntity('Smith', 'Jeff', { age: 5, points: 1n }))
})

describe('a command that writes', () => {
  it.each([
    'put people Smith Jeff age=6',
    'merge people Smith Jeff age=6',
    'delete people Smith Jeff',
  ])('is rejected without --write: %s', async (line) => {
    const { code, warned } = await run(line)
    expect([code, warned]).toEqual([2, expect.stringContaining('--write')])
    expect(await stored()).toEqual({ age: 5, points: 1n })
  })

  it.each(['age=six', 'age:Guid=6', 'a-b=6', 'big:Double=1e400'])(
    'exits with 2 for the value %s',
    async (text) => {
      const { code, warned } = await run(`merge people Smith Jeff ${text} --write`)
      expect([code, warned]).toEqual([2, expect.stringContaining(text.split(/[:=]/)[0] ?? '')])
      expect(await stored()).toEqual({ age: 5, points: 1n })
    },
  )

  it('shows what would change with --dry-run', async () => {
    const { code, warned } = await run('merge people Smith Jeff age=6 --dry-run')
    expect(code).toBe(0)
    expect(warned).toMatch(
      /merge people of .*:\n {2}- age:Int32="5"\n {2}\+ age:Int32="6"\nNothing was written\.\n/,
    )
    expect(await stored()).toEqual({ age: 5, points: 1n })
  })

  it.each([
    ['merge', { age: 6, points: 1n }],
    ['put', { age: 6 }],
  ])('%s writes with --write', async (kind, expected) => {
    expect((await run(`${kind} people Smith Jeff age=6 --write`)).code).toBe(0)
    expect(await stored()).toEqual(expected)
  })

  it('a name forges no line of what is to be written', async () => {
    const { code, warned } = await run([
      ...['put', 'people', 'Smith', 'Jeff', '--dry-run'],
      'x\nNothing was written.\u001b[2J=1',
    ])
    expect(code).toBe(0)
    expect(warned).toContain('  + x\\nNothing was written.\\u001b[2J:Int32="1"\n')
  })

  it('put stores a row that is missing, and delete removes it', async () => {
    const { printed } = await run('put people Smith Ben age=1 zero=-0 --write --json')
    expect(JSON.parse(printed)).toEqual({
      table: 'people',
      change: 'put',
      before: null,
      after: expect.objectContaining({ age: 1, zero: -0 }),
      written: true,
    })
    expect((await run('delete people Smith Ben --write')).code).toBe(0)
    expect((await run('delete people Smith Ben --write')).code).toBe(1)
    expect((await run('merge people Smith Ben age=1 --write')).code).toBe(1)
  })

  it.each([
    ['n', { age: 5, points: 1n }],
    ['yesterday', { age: 5, points: 1n }],
    ['yes', undefined],
    ['Y', undefined],
  ])('asks on a terminal, and the answer %s counts', async (answer, expected) => {
    const settings = { isInteractive: true, input: `${answer}\n` }
    const { warned } = await run('delete people Smith Jeff --write', settings)
    expect(warned).toContain('Write this? [y/N]')
    expect(await stored()).toEqual(expected)
  })

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('is interrupted by %s at its question', async (_, input) => {
    const { code, warned } = await run('delete people Smith Jeff --write', {
      isInteractive: true,
      input,
    })
    expect([code, warned]).toEqual([130, expect.stringMatching(/rowkey: interrupted\.\n$/)])
    expect(await stored()).toEqual({ age: 5, points: 1n })
  })

  it('asks nothing with --yes', async () => {
    const { warned } = await run('delete people Smith Jeff --write --yes', { isInteractive: true })
    expect(warned).not.toContain('[y/N]')
    expect(await stored()).toBeUndefined()
  })
})
