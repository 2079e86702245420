import { expect, it } from 'vitest'
import { withKeyAlone } from '../../../packages/query/src/run/key-alone.ts'
import { ArraySource } from '../array-source.ts'
import { runOf } from '../run-of.ts'

const source = new ArraySource([1])

it('asks for PartitionKey alone, and reads nothing', () => {
  const run = withKeyAlone(runOf(source, { select: ['PartitionKey', 'age'] }))
  expect(run.node.select).toEqual(['PartitionKey'])
  const raw = {}
  expect(run.read(raw)).toBe(raw)
})

it('asks for both keys of several queries, which may have a row in common', () => {
  const parallel = { ranges: [], concurrency: 1, order: 'keys' as const }
  expect(withKeyAlone(runOf(source, { parallel })).node.select).toEqual(['PartitionKey', 'RowKey'])
})

it('leaves rows as they are for a filter on this side', () => {
  const run = runOf(source, { localFilter: () => true })
  expect(withKeyAlone(run)).toBe(run)
})
