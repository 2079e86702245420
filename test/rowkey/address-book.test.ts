import { localTableService } from '@rowkey/local'
import {
  type Account,
  AuthenticationError,
  connect,
  Entity,
  noRetry,
  PartitionKey,
  RowKey,
  SasProviderCredential,
  type Transport,
} from 'rowkey'
import { beforeEach, describe, expect, it } from 'vitest'

@Entity('contacts')
class Contact {
  @PartitionKey() owner!: string
  @RowKey() name!: string
  email?: string
}

const contact = (owner: string, name: string, email = `${name}@contoso.com`): Contact =>
  Object.assign(new Contact(), { owner, name, email })

const MINUTE = 60_000
const CLIENTS = 'clients-2026-11-20'
const COLLECTORS = 'collectors-2026-11-20'

/**
 * An address book for many people in one table. Only the server has the account key. It gives each
 * client a token for the client's own rows, and a worker one that can be revoked.
 */
describe('an address book', () => {
  let clock: number
  let server: Account
  let transport: Transport
  let endpoint: string
  let handedOut: number

  beforeEach(async () => {
    clock = Date.UTC(2026, 10, 20, 12)
    handedOut = 0
    const service = localTableService({ now: () => clock })
    transport = service.transport
    endpoint = /TableEndpoint=([^;]+)/.exec(service.connectionString())?.[1] ?? ''
    server = connect(service.connectionString(), { transport, now: () => clock, retry: noRetry })
    const contacts = server.table(Contact)
    await contacts.create()
    const start = new Date(clock - 60 * MINUTE)
    const expiry = new Date(Date.UTC(2099, 0))
    await contacts.accessPolicies.set([
      { id: CLIENTS, start, permissions: 'raud' },
      { id: COLLECTORS, start, expiry, permissions: 'rd' },
    ])
  })

  const tokenFor = (owner: string) => {
    handedOut += 1
    const expiry = new Date(clock + 30 * MINUTE)
    const range = { from: { partitionKey: owner }, to: { partitionKey: owner } }
    return server.table(Contact).sas({ policy: CLIENTS, expiry, ...range })
  }

  const openWith = (credential: SasProviderCredential) =>
    connect({ endpoint, credential, transport, now: () => clock, retry: noRetry }).table(Contact)

  const clientOf = (owner: string) =>
    openWith(new SasProviderCredential({ provide: async () => tokenFor(owner) }))

  const collector = () =>
    openWith(
      new SasProviderCredential({
        provide: () => server.table(Contact).sas({ policy: COLLECTORS }),
      }),
    )

  it('R-169: lets a client keep contacts and look one up by name, without the account key', async () => {
    const contacts = clientOf('Jeff')
    await contacts.insertOrReplace(contact('Jeff', 'Ann'))
    await contacts.insertOrReplace(contact('Jeff', 'Ann', 'ann@fabrikam.com'))
    expect((await contacts.get(['Jeff', 'Ann'])).email).toBe('ann@fabrikam.com')
    expect(handedOut).toBe(1)
  })

  it('R-162, R-169: limits a client to its own rows', async () => {
    await server.table(Contact).insert(contact('Ben', 'Zoe'))
    const contacts = clientOf('Jeff')
    await contacts.insert(contact('Jeff', 'Ann'))
    await expect(contacts.get(['Ben', 'Zoe'])).rejects.toThrow(
      expect.objectContaining({ code: 'OutsideSasScope' }),
    )
    await expect(contacts.insert(contact('Ben', 'Ann'))).rejects.toThrow(
      expect.objectContaining({ code: 'OutsideSasScope' }),
    )
    const all = await contacts.query().allowTableScan().toArray()
    expect(all.map(({ name }) => name)).toEqual(['Ann'])
  })

  it('R-77, R-169: renews the token while a client works', async () => {
    const contacts = clientOf('Jeff')
    for (let minutes = 0; minutes < 120; minutes += 10) {
      await contacts.insertOrReplace(contact('Jeff', `after ${minutes} minutes`))
      clock += 10 * MINUTE
    }
    expect(handedOut).toBe(6)
  })

  it('R-169: lets a worker delete old rows until its policy is revoked', async () => {
    const contacts = server.table(Contact)
    await contacts.insert(contact('Jeff', 'Ann'))
    await contacts.insert(contact('Ben', 'Zoe'))
    const worker = collector()
    const old = await worker.query().where({ owner: 'Jeff' }).toArray()
    for (const entity of old) await worker.delete(entity)
    await expect(worker.insert(contact('Jeff', 'Eve'))).rejects.toThrow(AuthenticationError)
    expect(await contacts.accessPolicies.revoke(COLLECTORS)).toBe(true)
    await expect(worker.get(['Ben', 'Zoe'])).rejects.toThrow(AuthenticationError)
    await expect(clientOf('Ben').get(['Ben', 'Zoe'])).resolves.toBeDefined()
  })
})
