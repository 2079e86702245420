import { localTableService } from '@rowkey/local'
import type { HttpResponse, Transport } from '@rowkey/rest'
import { connect, DynamicEntity, defineEntity, key, noRetry } from 'rowkey'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countVersions, versionedModels } from '../../../packages/cli/src/model/model-versions.ts'
import { readLedger, writeLedger } from '../../../packages/cli/src/model/version-ledger.ts'
import { warningOfKeptRows } from '../../../packages/cli/src/target/kept-rows.ts'

const keys = { name: 'staff', partitionKey: key`${'team'}`, rowKey: key`id_${'id'}` }
const Before = defineEntity({ ...keys, schema: z.object({ team: z.string(), id: z.string() }) })
const Staff = defineEntity({
  ...keys,
  schema: z.object({ team: z.string(), id: z.string(), mail: z.string().optional() }),
  version: 2,
  previous: Before,
  migrate: (before) => before,
})

const { signal } = new AbortController()
const [model] = versionedModels({ Staff }, undefined)
if (model === undefined) throw new Error('Staff has versions')

/** Responds to reads of the catalogue in place of the service. */
let reply: (() => HttpResponse) | undefined
const local = localTableService({})
const transport: Transport = async (request, limits) =>
  request.method === 'GET' &&
  `${request.path}?${request.query}`.includes('~rk~') &&
  reply !== undefined
    ? reply()
    : local.transport(request, limits)
const staff = connect(local.connectionString(), { transport, retry: noRetry }).table('staff')

const rejection = (status: number, code: string) => (): HttpResponse => ({
  status,
  headers: { 'x-ms-error-code': code, 'content-type': 'application/json' },
  body: JSON.stringify({ 'odata.error': { code, message: { lang: 'en-US', value: code } } }),
})
const counted = async (hour: number) => {
  const countedAt = `2026-11-29T${String(hour).padStart(2, '0')}:00:00.000Z`
  const [count] = await countVersions(staff, [model], { signal, countedAt })
  if (count === undefined) throw new Error('one model was counted')
  return count
}

beforeEach(async () => {
  reply = undefined
  await staff.createIfNotExists()
  await staff.insertOrReplace(new DynamicEntity('a', 'id_1', { team: 'a', id: '1', Version: 2 }))
})

describe('the ledger of versions', () => {
  it('keeps the time since when nothing is old, also when a later count cannot read it', async () => {
    const { nothingBelowSince } = await writeLedger(staff, await counted(1), signal)
    const later = await counted(2)
    for (const failing of [
      rejection(500, 'InternalError'),
      rejection(403, 'AuthenticationFailed'),
    ]) {
      reply = failing
      await expect(writeLedger(staff, later, signal)).rejects.toThrow()
      reply = undefined
    }
    expect(nothingBelowSince).toBe('2026-11-29T01:00:00.000Z')
    expect(await readLedger(staff, model, signal)).toMatchObject({ nothingBelowSince })
    expect(await writeLedger(staff, await counted(3), signal)).toMatchObject({ nothingBelowSince })
  })

  it.each([
    [{}],
    [{ Versions: 5 }],
    [{ Versions: '{' }],
    [{ Versions: 'null' }],
    [{ Versions: '{"countedAt":"x","versions":{},"newest":2}' }],
    [{ Versions: '{"countedAt":"2026-11-29","versions":{},"newest":2,"nothingBelowSince":"x"}' }],
    [{ Versions: '{"countedAt":"2026-11-29","versions":{"2":"all"},"newest":2}' }],
    [{ Versions: '{"countedAt":"2026-11-29","versions":{},"newest":"2"}' }],
  ])(
    'rejects a row that something else has written, until it is deleted: %j',
    async (properties) => {
      await writeLedger(staff, await counted(1), signal)
      const row = await staff.query().where({ partitionKey: '~rk~' }).firstOrUndefined()
      if (row === undefined) throw new Error('the count was written')
      await staff.insertOrReplace(new DynamicEntity(row.partitionKey, row.rowKey, properties))
      const later = await counted(2)
      for (const read of [
        () => readLedger(staff, model, signal),
        () => writeLedger(staff, later, signal),
      ]) {
        await expect(read()).rejects.toMatchObject({
          code: 'UnreadableInput',
          message: `The row ${JSON.stringify([row.partitionKey, row.rowKey])} of staff is not a count of versions. Delete it: the next count begins anew.`,
        })
      }
      await staff.delete(row, { etag: '*' })
      expect(await readLedger(staff, model, signal)).toBeUndefined()
    },
  )

  it('is unknown to a credential that may not read the catalogue', async () => {
    reply = rejection(403, 'AuthorizationPermissionMismatch')
    expect(await readLedger(staff, model, signal)).toBeUndefined()
  })
})

it('a warning of indexes says when their record cannot be read, unless the credential may not read it', async () => {
  expect(await warningOfKeptRows(staff, signal)).toBeUndefined()
  reply = rejection(403, 'AuthorizationPermissionMismatch')
  expect(await warningOfKeptRows(staff, signal)).toBeUndefined()
  reply = rejection(500, 'InternalError')
  expect(await warningOfKeptRows(staff, signal)).toMatch(
    /^The record of indexes and sums of staff could not be read: /,
  )
})
