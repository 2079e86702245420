import { describe, expect, it } from 'vitest'
import { AccountProperties } from '../../../packages/mapper/src/account/account-properties.ts'
import { freshAccount } from '../fresh-account.ts'

describe('the properties of an account', () => {
  it('R-83, R-85: are read and changed', async () => {
    const { account } = freshAccount()
    expect(account.properties).toBeInstanceOf(AccountProperties)
    const hourMetrics = { enabled: true, includeApis: true, retentionDays: 7 }
    await account.properties.set({ hourMetrics })
    expect((await account.properties.get()).hourMetrics).toEqual(hourMetrics)
  })

  it('R-83: are changed as they were when the call was made', async () => {
    const { account } = freshAccount()
    const hourMetrics = { enabled: true, includeApis: true, retentionDays: 7 }
    const set = account.properties.set({ hourMetrics })
    hourMetrics.retentionDays = 30
    await set
    expect((await account.properties.get()).hourMetrics).toMatchObject({ retentionDays: 7 })
  })

  it('R-83: keep settings that the caller does not mention', async () => {
    const { account } = freshAccount()
    const cors = [
      {
        allowedOrigins: ['https://contoso.com'],
        allowedMethods: ['GET'],
        allowedHeaders: ['x-ms-*'],
        exposedHeaders: [],
        maxAgeInSeconds: 60,
      },
    ]
    await account.properties.set({ cors })
    await account.properties.set({ logging: { read: true, write: true, delete: true } })
    const properties = await account.properties.get()
    expect(properties).toMatchObject({ cors, logging: { read: true, write: true, delete: true } })
    await account.properties.set({ cors: [] })
    expect((await account.properties.get()).cors).toEqual([])
  })

  it('R-83: rejects what the service would, before anything is sent', async () => {
    const { account, sent } = freshAccount()
    const hourMetrics = { enabled: true, retentionDays: 366 }
    await expect(account.properties.set({ hourMetrics })).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidServiceProperties' }),
    )
    expect(sent).toEqual([])
  })

  it('rejects unknown options', async () => {
    const { account } = freshAccount()
    const options = { timeuot: 5 } as object
    await expect(account.properties.get(options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(account.properties.set({}, options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
