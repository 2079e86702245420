import { beforeEach, describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { jeffIn, storeJeff } from '../edit/stored-jeff.ts'

const { at, run } = oneAccount()
const stored = () => jeffIn(at.tables.account)

beforeEach(() => storeJeff(at.tables.account))

describe('a command that writes', () => {
  it.each(['age=six', 'age:Guid=6', 'a-b=6', 'big:Double=1e400'])(
    'exits with 2 for the value %s',
    async (text) => {
      const { code, warned } = await run(`merge people Smith Jeff ${text} --write`)
      expect([code, warned]).toEqual([2, expect.stringContaining(text.split(/[:=]/)[0] ?? '')])
      expect(await stored()).toEqual({ age: 5, points: 1n })
    },
  )

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
})
