import { expect } from 'vitest'
import { type Change, type ChangeResponse, submit } from '../change-set.ts'
import type { Scenario } from '../scenario.ts'
import { jsonOf, keysOf } from '../service-client.ts'

const insertOf = (PartitionKey: string, RowKey: string, n = 1): Change => ({
  method: 'POST',
  body: { PartitionKey, RowKey, n },
})

/** Status, code and the index before the text of the one part of a batch that failed. */
function failureOf(parts: readonly ChangeResponse[]): readonly unknown[] {
  expect(parts).toHaveLength(1)
  const [{ status, body } = { status: 0, body: '{}' }] = parts
  const { code, message } = JSON.parse(body)['odata.error']
  return [status, code, /^\d+(?=:)/.exec(message.value)?.[0]]
}

/** Entity group transactions. */
export const batchScenarios: readonly Scenario[] = [
  {
    title: 'makes all kinds of changes at once, answered in their order',
    async run(table) {
      for (const row of ['replaced', 'merged', 'deleted']) await table.insert('p', row, { a: 1 })
      const any = { 'If-Match': '*' }
      const { response, parts } = await submit(
        table,
        insertOf('p', 'new'),
        { method: 'PUT', key: ['p', 'replaced'], headers: any, body: { b: 2 } },
        { method: 'MERGE', key: ['p', 'merged'], headers: any, body: { b: 2 } },
        { method: 'DELETE', key: ['p', 'deleted'], headers: any },
        { method: 'PUT', key: ['p', 'upserted'], body: { b: 2 } },
      )
      expect(response.status).toBe(202)
      expect(parts.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204])
      const all = await table.query('')
      expect(keysOf(all)).toEqual(['p/merged', 'p/new', 'p/replaced', 'p/upserted'])
      expect(jsonOf(all).value).toMatchObject([{ a: 1, b: 2 }, { n: 1 }, { b: 2 }, { b: 2 }])
    },
  },
  {
    title: 'makes no change when one is refused, and says which it was',
    async run(table) {
      await table.insert('p', 'there')
      const { response, parts } = await submit(
        table,
        insertOf('p', 'a'),
        insertOf('p', 'b'),
        insertOf('p', 'there'),
      )
      expect(response.status).toBe(202)
      expect(failureOf(parts)).toEqual([409, 'EntityAlreadyExists', '2'])
      expect(keysOf(await table.query(''))).toEqual(['p/there'])
    },
  },
  {
    title: 'makes no change when an ETag is not the latest',
    async run(table) {
      const { headers } = await table.insert('p', 'r', { n: 1 })
      await table.row('PUT', ['p', 'r'], { body: { n: 2 } })
      const { parts } = await submit(table, insertOf('p', 'a'), {
        method: 'MERGE',
        key: ['p', 'r'],
        headers: { 'If-Match': headers.etag ?? '' },
        body: { n: 3 },
      })
      expect(failureOf(parts)).toEqual([412, 'UpdateConditionNotSatisfied', '1'])
      expect(jsonOf(await table.query('')).value).toMatchObject([{ RowKey: 'r', n: 2 }])
    },
  },
  {
    title: 'takes 100 changes',
    async run(table) {
      const changes = Array.from({ length: 100 }, (_, at) => insertOf('p', String(at)))
      const { parts } = await submit(table, ...changes)
      expect(parts.map(({ status }) => status)).toEqual(changes.map(() => 204))
      expect(keysOf(await table.query(''))).toHaveLength(100)
    },
  },
  {
    title: 'refuses 101 changes and makes none',
    async run(table) {
      const changes = Array.from({ length: 101 }, (_, at) => insertOf('p', String(at)))
      const { parts } = await submit(table, ...changes)
      expect(failureOf(parts).slice(0, 2)).toEqual([400, 'InvalidInput'])
      expect(keysOf(await table.query(''))).toEqual([])
    },
  },
  {
    title: 'refuses changes in two partitions',
    azuriteDiffers: '10: different partitions are accepted',
    async run(table) {
      const { parts } = await submit(table, insertOf('p', 'a'), insertOf('q', 'a'))
      expect(failureOf(parts)).toEqual([400, 'CommandsInBatchActOnDifferentPartitions', '1'])
    },
  },
  {
    title: 'refuses two changes of one row',
    async run(table) {
      const { parts } = await submit(table, insertOf('p', 'a'), insertOf('p', 'a'))
      expect(failureOf(parts)).toEqual([400, 'InvalidDuplicateRow', '1'])
    },
  },
  {
    title: 'knows no table that is not there',
    async run(table) {
      const { parts } = await submit({ ...table, name: `${table.name}none` }, insertOf('p', 'a'))
      expect(failureOf(parts)).toEqual([404, 'TableNotFound', '0'])
    },
  },
]
