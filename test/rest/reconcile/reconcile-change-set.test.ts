import {
  BatchError,
  deleteEntity,
  insertEntity,
  insertOrReplaceEntity,
  mergeEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { changeSetReconciliation } from '../../../packages/rest/src/reconcile/reconcile-change-set.ts'
import { etag, jeff } from '../people.ts'
import { aWitness, refusalOf, storedBefore, storedLately } from './a-witness.ts'

const insert = { operation: insertEntity, input: jeff }
const merge = { operation: mergeEntity, input: { ...jeff, etag } }
const upsert = { operation: insertOrReplaceEntity, input: jeff }
const remove = { operation: deleteEntity, input: { ...jeff, etag: '*' } }
const conflict = new BatchError({
  ...refusalOf(409, 'EntityAlreadyExists'),
  message: 'Change 1 failed',
  index: 1,
  change: { operation: 'insertEntity', key: jeff.key },
})
const ours = storedLately({})
const other = storedLately({ n: 1 })
const old = storedBefore({})

const { settle, resolve } = changeSetReconciliation

describe('changeSetReconciliation', () => {
  it('settles inserts that are all stored, with their ETags', async () => {
    const changes = [insert, insert]
    expect(await settle?.(conflict, { changes }, aWitness(ours))).toEqual({
      outcome: 'applied',
      output: [
        { etag: 'W/"1"', etagIsOwn: false },
        { etag: 'W/"1"', etagIsOwn: false },
      ],
    })
  })

  it('rejects because of one entity that is older than the call', async () => {
    const changes = [insert, insert]
    expect(await settle?.(conflict, { changes }, aWitness(ours, old))).toEqual({
      outcome: 'rejected',
      error: conflict,
    })
  })

  it('keeps the index of the change and the doubt when other content is stored', async () => {
    const changes = [insert, insert]
    expect(await settle?.(conflict, { changes }, aWitness(ours, other))).toMatchObject({
      outcome: 'rejected',
      error: { name: 'BatchError', index: 1, change: conflict.change, mayHaveApplied: true },
    })
  })

  it('decides nothing when an entity is missing, or a change is not an insert', async () => {
    const unknown = { outcome: 'unknown' }
    expect(await settle?.(conflict, { changes: [insert] }, aWitness(undefined))).toEqual(unknown)
    for (const change of [merge, upsert, remove]) {
      const changes = [insert, change]
      expect(await settle?.(conflict, { changes }, aWitness(ours))).toEqual(unknown)
    }
  })

  it.each([
    ['inserts that are there', [insert, insert], [ours, ours], 'applied'],
    ['one change that certainly is not there', [insert, insert], [ours, undefined], 'not applied'],
    ['an insert beside an undecidable change', [merge, insert], [other, ours], 'applied'],
    ['an ETag that is still there', [insert, merge], [ours, { ...ours, etag }], 'not applied'],
    ['an upsert that may have been there before', [upsert], [ours], 'unknown'],
    ['an undecidable change', [merge], [other], 'unknown'],
  ])('resolves by %s', async (_, changes, entities, outcome) => {
    expect(await resolve?.({ changes }, aWitness(...entities))).toBe(outcome)
  })

  it('leaves operations without resolve unknown', async () => {
    const { reconcile: _, ...blind } = mergeEntity
    const changes = [{ operation: blind, input: jeff }]
    expect(await resolve?.({ changes }, aWitness(ours))).toBe('unknown')
  })
})
