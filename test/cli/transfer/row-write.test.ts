import { beforeEach, describe, expect, it } from 'vitest'
import { printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { oneAccount } from '../accounts.ts'
import { linesIn } from './lines-in.ts'
import { storeOneRow, twoRows } from './one-stored-row.ts'

const { at, run } = oneAccount()

describe('rowkey import', () => {
  beforeEach(() => storeOneRow(at.tables.account))

  it('applies the changes of a diff', async () => {
    const [one, two] = twoRows(8)
    const input = `${printRowLine(one, 'delete')}\n${printRowLine(two, 'insert')}\n`
    expect((await run('import stored', { input })).code).toBe(0)
    expect((await linesIn(at.tables.account, 'stored')).length).toBe(1)
    const replaced = printRowLine(twoRows(9)[1], 'replace')
    expect((await run('import stored', { input: replaced })).code).toBe(0)
    expect(await linesIn(at.tables.account, 'stored')).toEqual([
      expect.stringContaining('"RowKey":"2","n":9'),
    ])
  })
})
