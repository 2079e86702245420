import {
  OperationContext,
  TableAlreadyExistsError,
  TableNotFoundError,
  UnknownOptionError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'

describe('a table of an account', () => {
  it('R-25: is created once', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await expect(people.create()).rejects.toThrow(TableAlreadyExistsError)
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

  it('R-109: knows whether it exists', async () => {
    const { account, sent } = freshAccount()
    const people = account.table('people')
    await account.createTable('people2')
    expect(await people.exists()).toBe(false)
    await people.create()
    expect(await people.exists()).toBe(true)
    expect(sent.at(-1)?.query).toContain('TableName%20eq%20%27people%27')
  })

  it.each(['create', 'createIfNotExists', 'drop', 'dropIfExists', 'exists'] as const)(
    'refuses an option that %s does not have',
    async (method) => {
      const { account, sent } = freshAccount()
      const options = { timeuot: 5 } as object
      await expect(account.table('people')[method](options)).rejects.toThrow(UnknownOptionError)
      await expect(account.table('people')[method](options)).rejects.toThrow(
        new RegExp(`${method} of table people has no option 'timeuot'`),
      )
      expect(sent).toEqual([])
    },
  )

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
