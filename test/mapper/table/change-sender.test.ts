import { codecOf, modelOf } from '@rowkey/mapper'
import { BatchError, EntityAlreadyExistsError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { ChangeSender } from '../../../packages/mapper/src/table/change-sender.ts'
import { EntityChanges } from '../../../packages/mapper/src/table/entity-changes.ts'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'

async function freshSender() {
  const { service, sent } = await freshTable(Customer)
  const changes = new EntityChanges('customers', codecOf(modelOf(Customer)))
  return { changes, sender: new ChangeSender(service, changes), sent }
}

describe('ChangeSender', () => {
  it('tells an object that it was written', async () => {
    const { changes, sender } = await freshSender()
    const jeff = customer('Smith', 'Jeff')
    const { etag } = await sender.send(changes.insert(jeff), {})
    expect(etag).toMatch(/^W/)
    expect(jeff.etag).toBe(etag)
  })

  it('tells each object of a transaction', async () => {
    const { changes, sender, sent } = await freshSender()
    const both = [customer('Smith', 'Ann'), customer('Smith', 'Ben')]
    const results = await sender.sendAll(
      both.map((each) => changes.insert(each)),
      {},
    )
    expect(both.map(({ etag }) => etag)).toEqual(results.map(({ etag }) => etag))
    expect(sent).toHaveLength(1)
  })

  it('tells no object when the service refuses', async () => {
    const { changes, sender } = await freshSender()
    await sender.send(changes.insert(customer('Smith', 'Jeff')), {})
    const again = customer('Smith', 'Jeff')
    const change = changes.insert(again)
    await expect(sender.send(change, {})).rejects.toThrow(EntityAlreadyExistsError)
    await expect(sender.sendAll([change], {})).rejects.toThrow(BatchError)
    expect(again.etag).toBeUndefined()
  })
})
