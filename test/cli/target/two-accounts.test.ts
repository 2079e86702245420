import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { twoAccounts } from '../accounts.ts'
import { storeSomePeople } from '../transfer/some-people.ts'

const { at, run } = twoAccounts(storeSomePeople)

describe('rowkey copy', () => {
  longTest('tells folders apart, also in the position of an interrupted copy', async () => {
    const [one, two] = [join(at.folder, 'one'), join(at.folder, 'two')]
    expect((await run(`copy people --to ${one} --create`)).code).toBe(0)
    expect((await run(`copy people --target ${one} --to ${two} --create`)).code).toBe(0)
    expect((await run(`diff people --target ${one} --to ${two}`)).code).toBe(0)
    expect((await run(`copy people --target ${one} --to ${one}/../one`)).code).toBe(2)
    expect((await run(`copy people --target ${one} --to @other`)).code).toBe(1)
    const none = join(at.folder, 'none')
    for (const line of [
      `tables --target ${none}`,
      `copy people --to ${none}`,
      `diff people --to ${none}`,
    ]) {
      const { code, warned } = await run(line)
      expect([code, warned]).toEqual([2, expect.stringContaining('folder that does not exist')])
    }
    expect(await readdir(at.folder)).toEqual(['one', 'people.copy', 'two'])
    const mismatch = await run(`copy people --target ${two} --to @other`)
    expect([mismatch.code, mismatch.warned]).toEqual([2, expect.stringContaining(one)])
  })
})
