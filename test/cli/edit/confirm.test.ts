import { beforeEach, describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { jeffIn, storeJeff } from './stored-jeff.ts'

const { at, run } = oneAccount()
const stored = () => jeffIn(at.tables.account)

beforeEach(() => storeJeff(at.tables.account))

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

  it('shows what would change with --dry-run', async () => {
    const { code, warned } = await run('merge people Smith Jeff age=6 --dry-run')
    expect(code).toBe(0)
    expect(warned).toMatch(
      /merge people of .*:\n {2}- age:Int32="5"\n {2}\+ age:Int32="6"\nNothing was written\.\n/,
    )
    expect(await stored()).toEqual({ age: 5, points: 1n })
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
