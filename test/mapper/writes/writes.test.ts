import { modelOf } from '@rowkey/mapper'
import { BatchError, callOf, EntityAlreadyExistsError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { allRows } from '../../../packages/mapper/src/rows/table-parts.ts'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { WriteMaker } from '../../../packages/mapper/src/writes/write-maker.ts'
import { WriteSender } from '../../../packages/mapper/src/writes/writes.ts'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'
import { objectsOf } from '../object-codec.ts'

async function freshSender() {
  const { service, sent } = await freshTable(Customer)
  const codec = objectsOf(modelOf(Customer))
  const origin = { account: service.accountId, table: 'customers' }
  const changes = new WriteMaker(
    { name: 'customers', origin, mapping: codec, rows: allRows },
    () => 0,
  )
  return {
    changes,
    sender: new WriteSender({ service, name: 'customers', origin, rows: allRows }),
    sent,
    origin,
    call: callOf(service, {}, 'a test'),
  }
}

describe('WriteSender', () => {
  it('lets an object know what was written', async () => {
    const { call, changes, sender, origin } = await freshSender()
    const jeff = customer('Smith', 'Jeff')
    const change = changes.insert(jeff)
    const { etag } = await sender.send(change, call)
    expect(etag).toMatch(/^W/)
    expect(jeff.etag).toBe(etag)
    const known = snapshotOf(jeff)
    expect({ ...known, row: known?.row.text }).toEqual({
      origin,
      row: change.input.body,
      etag,
      partial: false,
    })
  })

  it('lets a deleted object keep its ETag, for the next write to fail', async () => {
    const { call, changes, sender } = await freshSender()
    const jeff = customer('Smith', 'Jeff')
    await sender.send(changes.insert(jeff), call)
    const { etag } = jeff
    await sender.send(changes.delete(jeff, undefined), call)
    expect([jeff.etag, snapshotOf(jeff)?.exists]).toEqual([etag, 'no'])
  })

  it('lets each object of a transaction know what was written', async () => {
    const { call, changes, sender, sent } = await freshSender()
    const both = [customer('Smith', 'Ann'), customer('Smith', 'Ben')]
    const results = await sender.sendAll(
      both.map((each) => changes.insert(each)),
      call,
    )
    expect(both.map(({ etag }) => etag)).toEqual(results.map(({ etag }) => etag))
    expect(sent).toHaveLength(1)
  })

  it('lets no object know a write that the service rejected', async () => {
    const { call, changes, sender } = await freshSender()
    await sender.send(changes.insert(customer('Smith', 'Jeff')), call)
    const again = customer('Smith', 'Jeff')
    const change = changes.insert(again)
    await expect(sender.send(change, call)).rejects.toThrow(EntityAlreadyExistsError)
    await expect(sender.sendAll([change], call)).rejects.toThrow(BatchError)
    expect([again.etag, snapshotOf(again)]).toEqual([undefined, undefined])
  })
})
