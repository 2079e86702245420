import { connect } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { diffRows } from '../../../packages/cli/src/transfer/diff-tables.ts'
import { twoAccounts } from '../accounts.ts'
import { storeSomePeople } from './some-people.ts'

const { at } = twoAccounts(storeSomePeople)

describe('rowkey diff', () => {
  it('sorts the rows of Cosmos DB, which come in no order', async () => {
    const cosmos = connect('memory:', { flavour: 'cosmos' })
    const copied = cosmos.table('people')
    await copied.create()
    const source = at.tables.account.table('people')
    await source.copyTo(copied)
    await copied.delete(['city-3', '10'], { etag: '*' })
    const found = []
    const first = { query: source.query(), isSorted: true }
    const second = { query: copied.query(), isSorted: false }
    for await (const { change, row } of diffRows(first, second, {}, () => {})) {
      found.push([change, row.rowKey])
    }
    expect(found).toEqual([['insert', '10']])
    await cosmos.close()
  })
})
