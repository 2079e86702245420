import { startLocalService } from '@rowkey/local'
import { type Account, connect, DynamicEntity, EntityProperty } from 'rowkey'

/** A service with its account, for one test. */
export interface Tables extends AsyncDisposable {
  /** The connection string. */
  readonly target: string
  readonly account: Account
}

/** Starts an embedded service over HTTP. */
export async function openTables(flavour: 'storage' | 'cosmos' = 'storage'): Promise<Tables> {
  const service = await startLocalService({ port: 0, flavour })
  const target = service.connectionString
  const account = connect(target)
  return {
    target,
    account,
    async [Symbol.asyncDispose]() {
      await account.close()
      await service.close()
    },
  }
}

/** A row with a value of every Edm type. */
export const everyType = (partitionKey: string, rowKey: string): DynamicEntity =>
  new DynamicEntity(partitionKey, rowKey, {
    text: 'a "quoted", text',
    flag: true,
    small: EntityProperty.int32(-5),
    big: EntityProperty.int64(9007199254740993n),
    whole: EntityProperty.double(3),
    since: EntityProperty.dateTime(new Date('2026-01-02T03:04:05.678Z')),
    guid: EntityProperty.guid('00000000-0000-0000-0000-0000000000ff'),
    bytes: EntityProperty.binary(new Uint8Array([0, 255])),
  })
