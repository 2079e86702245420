import { entityGroupTransaction, insertOrMergeEntity, updateEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { readParts } from '../../../packages/rest/src/sas/read-parts.ts'
import { emulator, etag, jeff } from '../people.ts'

describe('readParts', () => {
  it('reads back the requests of a change set', () => {
    const ben = { ...jeff, key: { partitionKey: 'Smith', rowKey: 'Ben' } }
    const changes = [
      { operation: updateEntity, input: { ...jeff, etag } },
      { operation: insertOrMergeEntity, input: ben },
    ]
    const { body } = entityGroupTransaction.toRequest({ table: 'people', changes }, emulator)
    const parts = readParts(body ?? '')
    expect(parts.map(({ path, query, body }) => [path, query, body])).toEqual(
      ['Jeff', 'Ben'].map((name) => [
        `/devstoreaccount1/people(PartitionKey='Smith',RowKey='${name}')`,
        '',
        jeff.body,
      ]),
    )
    expect(parts[0]).toMatchObject({ method: 'PUT', headers: { 'if-match': etag } })
    expect(parts[1]?.headers).not.toHaveProperty('if-match')
  })

  it.each(['', 'garbage', '--a\r\n\r\n--b--'])('finds no request in %j', (body) => {
    expect(readParts(body)).toEqual([])
  })
})
