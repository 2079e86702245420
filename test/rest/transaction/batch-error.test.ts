import { type Change, deleteEntity, insertEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { batchErrorOf } from '../../../packages/rest/src/transaction/batch-error.ts'
import { decodeChangeSet } from '../../../packages/rest/src/transaction/decode-change-set.ts'
import {
  busy,
  cosmosMixedLines,
  fourthExists,
  onlyOneStale,
  secondIsTwice,
} from '../../vectors/batch-responses.ts'

const changes = (count: number): Change[] =>
  Array.from({ length: count }, (_, index) => ({
    operation: insertEntity,
    input: { table: 'people', key: { partitionKey: 'Smith', rowKey: `${index}` }, body: '{}' },
  }))

const errorOf = (response: typeof busy, count: number) =>
  batchErrorOf(decodeChangeSet(response)[0]!, changes(count), 'request-1')

describe('batchErrorOf', () => {
  it.each([
    ['the prefix', fourthExists, 4, 3],
    ['the prefix of Cosmos DB', cosmosMixedLines, 4, 3],
    ['the prefix of an offence between two changes', secondIsTwice, 2, 1],
    ['nothing, when there is only one change', onlyOneStale, 1, 0],
    ['nothing, when there are several', busy, 4, undefined],
    ['a prefix beyond the changes', fourthExists, 2, undefined],
  ])('R-56: reads the index from %s', (_, response, count, index) => {
    const error = errorOf(response, count)
    expect(error.index).toBe(index)
    expect(error.change?.key.rowKey).toBe(index === undefined ? undefined : `${index}`)
  })

  it('names the change, says that no change was applied, and quotes the service', () => {
    expect(errorOf(fourthExists, 4).message).toBe(
      "Change 3 of the entity group transaction, insertEntity of people(PartitionKey='Smith',RowKey='3'), failed, so no change was applied: The specified entity already exists. (409 EntityAlreadyExists, request id request-1)",
    )
  })

  it.each([
    [412, 'UpdateConditionNotSatisfied', /reload it and repeat the batch\.$/],
    [404, 'TableNotFound', /\. Create the table with create\(\), or check its name\.$/],
  ])('ends the message of %i %s with the fix', (status, code, fix) => {
    const body = `{"odata.error":{"code":"${code}","message":{"value":"0:No."}}}`
    expect(batchErrorOf({ status, headers: {}, body }, changes(2), undefined).message).toMatch(fix)
  })

  it('does not say that no change was applied after a 500', () => {
    const part = { status: 500, headers: {}, body: '' }
    const error = batchErrorOf(part, changes(2), undefined)
    expect(error).toMatchObject({ mayHaveApplied: true, status: 500, code: 'Http500' })
    expect(error.message).not.toContain('none was applied')
  })
})

describe('a batch into a missing table on Cosmos DB', () => {
  const missing = (text: string) => ({
    status: 404,
    headers: {},
    body: `{"odata.error":{"code":"ResourceNotFound","message":{"value":"${text}"}}}`,
  })
  const hint = 'The table people may be missing.'

  it('R-177: says that the table may be missing', () => {
    for (const count of [1, 3]) {
      const error = batchErrorOf(missing('It does not exist.'), changes(count), undefined)
      expect(error.message).toContain(hint)
    }
  })

  it('does not say so where an entity may be missing', () => {
    const [first] = changes(1)
    const deletion = { operation: deleteEntity, input: first!.input }
    const errors = [
      batchErrorOf(missing('0:It does not exist.'), changes(3), undefined),
      batchErrorOf(missing('It does not exist.'), [deletion], undefined),
    ]
    for (const { message } of errors) expect(message).not.toContain(hint)
  })
})
