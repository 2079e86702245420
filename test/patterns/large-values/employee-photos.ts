import { defineEntity, key } from '@rowkey/mapper'
import { blobStore, declareLargeValues, type LargeValueStore } from '@rowkey/patterns'
import { z } from 'zod'
import { office } from '../employees.ts'
import { blobContainer } from './blob-container.ts'

/** The employees of one program. A model of its own, because large values are declared on models. */
export function program(store: LargeValueStore) {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`${'id'}`,
    schema: z.object({
      department: z.string(),
      id: z.string(),
      title: z.string().optional(),
      photo: z.string().optional(),
    }),
    storeAs: { photo: 'PhotoUrl' },
  })
  const photos = declareLargeValues(Employee, {
    property: 'photo',
    store: () => store,
  })
  return { Employee, photos }
}

/** The key of an employee. */
export const jones = { department: 'Sales', id: '223' }

/** The bytes of a text. */
export const photo = (text: string) => new TextEncoder().encode(text)

/** The text of bytes. */
export const shown = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

/** An empty table of employees, whose photos are in blobs. */
export async function opened() {
  const all = office()
  const store = blobStore(blobContainer(() => all.now))
  const { Employee, photos } = program(store)
  const employees = all.account.table(Employee)
  await employees.create()
  all.sent.length = 0
  return { ...all, clock: all, store, employees, photos: photos.on(all.account), Employee }
}
