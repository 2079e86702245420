import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import {
  noRetry,
  OperationContext,
  TableAlreadyExistsError,
  TableNotFoundError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { Customer } from '../../customer.ts'
import { freshAccount } from '../../fresh-account.ts'

const START = Date.UTC(2026, 10, 20, 12)

/** An account whose tables take 40 seconds to be deleted, by a clock that only waiting moves. */
function slowlyDeleting(): Account {
  let now = START
  const local = localTableService({ now: () => now, tableDeletion: { keepNameFor: 40_000 } })
  return new Account(
    tableService({
      connectionString: local.connectionString(),
      transport: local.transport,
      retry: noRetry,
      now: () => now,
      sleep: async (delay) => {
        now += delay
      },
    }),
  )
}

describe('a table of an account', () => {
  it('R-25: is created once', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await expect(people.create()).rejects.toThrow(TableAlreadyExistsError)
  })

  it('R-25: is created again once the service is done with deleting it', async () => {
    const people = slowlyDeleting().table('people')
    await people.create()
    await people.drop()
    await expect(people.create()).rejects.toMatchObject({ code: 'TableBeingDeleted' })
    await expect(people.createIfNotExists()).rejects.toMatchObject({ code: 'TableBeingDeleted' })
    expect(await people.createIfNotExists({ waitForDeletion: true })).toBe(true)
    expect(await people.exists()).toBe(true)
  })

  it('R-25: is waited for no longer than the deadline allows', async () => {
    const people = slowlyDeleting().table('people')
    await people.create()
    await people.drop()
    const work = people.create({ waitForDeletion: true, deadline: 5000 })
    await expect(work).rejects.toMatchObject({ code: 'DeadlineExceeded' })
  })

  it('R-25: is created or dropped as needed, and says which', async () => {
    const people = freshAccount().account.table('people')
    expect(await people.dropIfExists()).toBe(false)
    expect(await people.createIfNotExists()).toBe(true)
    expect(await people.createIfNotExists()).toBe(false)
    expect(await people.dropIfExists()).toBe(true)
  })

  it('does not count as a failure what was expected', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    const context = new OperationContext()
    await people.createIfNotExists({ context })
    expect(context.attempts).toHaveLength(1)
    expect(context.lastAttempt?.error).toBeUndefined()
  })

  it('is dropped once', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await people.drop()
    await expect(people.drop()).rejects.toThrow(TableNotFoundError)
  })

  it('rejects exists with a key that is undefined, which must not ask for the table', async () => {
    const people = freshAccount().account.table('people')
    const key: string[] | undefined = undefined
    await expect(people.exists(key as never)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidEntityKey' }),
    )
    await expect(people.exists(key as never, {})).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidEntityKey' }),
    )
  })

  it('R-109: knows whether it exists', async () => {
    const { account, sent } = freshAccount()
    const people = account.table('people')
    await account.createTable('people2')
    expect(await people.exists()).toBe(false)
    await people.create()
    expect(await people.exists()).toBe(true)
    expect(sent.at(-1)?.path).toMatch(/Tables\('people'\)$/)
  })

  it.each([
    ['secondaryThenPrimary', true, [true, false]],
    ['secondaryOnly', false, [true]],
  ] as const)(
    'reads with %s at the locations that it allows',
    async (locationMode, found, secondary) => {
      const asked: boolean[] = []
      const service = tableService({
        connectionString: 'AccountName=contoso;AccountKey=a2V5;EndpointSuffix=core.windows.net',
        locationMode,
        transport: async ({ origin }) => {
          asked.push(origin.includes('-secondary'))
          const headers = { 'content-type': 'application/json' }
          if (!asked.at(-1)) return { status: 200, headers, body: '{"TableName":"people"}' }
          const error = { code: 'ResourceNotFound', message: { lang: 'en-US', value: 'Missing.' } }
          return { status: 404, headers, body: JSON.stringify({ 'odata.error': error }) }
        },
      })
      expect(await new Account(service).table('people').exists()).toBe(found)
      expect(asked).toEqual(secondary)
    },
  )

  it.each(['create', 'createIfNotExists', 'drop', 'dropIfExists'] as const)(
    'rejects an option that %s does not have',
    async (method) => {
      const { account, sent } = freshAccount()
      const options = { timeuot: 5 } as object
      await expect(account.table('people')[method](options)).rejects.toThrow(
        expect.objectContaining({ code: 'UnknownOption' }),
      )
      await expect(account.table('people')[method](options)).rejects.toThrow(
        new RegExp(`${method} of table people has no option 'timeuot'`),
      )
      expect(sent).toEqual([])
    },
  )

  it.each([
    ['without a class', 'people', 'A target must name|PartitionKey'],
    ['of a class', Customer, 'Customer.lastName'],
  ] as const)('exists of a table %s rejects an object of misspelled names', async (_, of, key) => {
    const { account, sent } = freshAccount()
    const table = account.table(of as typeof Customer)
    const call = table.exists({ timeuot: 5, lastNmae: 'Smith' } as object)
    const both = '{ timeuot, lastNmae } is neither the key of an entity nor options of a call.'
    await expect(call).rejects.toThrow(expect.objectContaining({ code: 'InvalidEntityKey' }))
    await expect(call).rejects.toThrow(both)
    await expect(call).rejects.toThrow(new RegExp(key))
    await expect(call).rejects.toThrow('context, deadline')
    expect(sent).toEqual([])
  })

  it('R-68, R-79: makes a SAS for itself, without sending anything', () => {
    const { account, sent } = freshAccount()
    const expiry = new Date(Date.UTC(2099, 0))
    const range = { from: { partitionKey: 'Smith' }, to: { partitionKey: 'Smith' } }
    const { token } = account.table('people').sas({ permissions: 'ra', expiry, ...range })
    expect(Object.fromEntries(new URLSearchParams(token))).toMatchObject({
      tn: 'people',
      sp: 'ra',
      se: '2099-01-01T00:00:00Z',
      spk: 'Smith',
      epk: 'Smith',
    })
    expect(sent).toEqual([])
  })

  it.each(['table', 'credential', 'now', 'expires'])('makes no SAS with the option %s', (name) => {
    const terms = { policy: 'support', [name]: undefined }
    expect(() => freshAccount().account.table('people').sas(terms)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
