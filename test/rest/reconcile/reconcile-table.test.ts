import { TableAlreadyExistsError, TableNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  creationReconciliation,
  removalReconciliation,
} from '../../../packages/rest/src/reconcile/reconcile-table.ts'
import { aWitness, refusalOf, storedLately } from './a-witness.ts'

const people = { table: 'people' }
const there = aWitness(storedLately({}))
const notThere = aWitness(undefined)
const exists = new TableAlreadyExistsError(refusalOf(409, 'TableAlreadyExists'))
const missing = new TableNotFoundError(refusalOf(404, 'ResourceNotFound'))

describe('creationReconciliation', () => {
  const { settle, resolve } = creationReconciliation(true)

  it('treats an existing table as created by the call', async () => {
    expect(settle?.(exists, people, there)).toEqual({ outcome: 'applied', output: true })
    expect(settle?.(missing, people, there)).toEqual({ outcome: 'unknown' })
    expect(await resolve?.(people, there)).toBe('applied')
    expect(await resolve?.(people, notThere)).toBe('not applied')
  })
})

describe('removalReconciliation', () => {
  const { settle, resolve } = removalReconciliation(true)

  it('treats a missing table as deleted', async () => {
    expect(settle?.(missing, people, there)).toEqual({ outcome: 'applied', output: true })
    expect(settle?.(exists, people, there)).toEqual({ outcome: 'unknown' })
    expect(await resolve?.(people, there)).toBe('not applied')
    expect(await resolve?.(people, notThere)).toBe('applied')
  })
})
