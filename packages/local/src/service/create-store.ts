import { localInputError } from '../errors/codes.ts'

import { DurableStore } from '../store/durable/durable-store.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { TableStore } from '../store/table-store.ts'
import type { ServiceClock } from './service-clock.ts'

/** What a store shares with its service. */
export interface StoreGround {
  /** Goes on after the latest stamp that the store knows. */
  readonly clock: ServiceClock
  /** Told what went wrong while nobody waited. */
  report(error: unknown): void
}

/**
 * The store of a service.
 *
 * @param data - the folder of a durable one; without it, tables are in memory
 */
export function createStore(data: string | undefined, { clock, report }: StoreGround): TableStore {
  if (data === undefined) return new MemoryStore()
  if (typeof data !== 'string' || data === '' || data.includes('\0')) {
    throw localInputError({
      code: 'InvalidOptionValue',
      message: 'data must be the path of a folder.',
    })
  }
  const onOpen = clock.startAfter.bind(clock)
  return new DurableStore({ folder: data, onOpen, report })
}
