import { useEffect, useState } from 'preact/hooks'
import type { Failure, ShownRow, ShownRows } from '../src/server/wire.ts'
import { ask, failureOf } from './ask-server.ts'
import type { View } from './view.ts'

/** How far the page of a view is read. */
export interface ReadRows {
  readonly rows: readonly ShownRow[]
  /** The requests that the service received. */
  readonly requests: number
  /** Where the next page begins; absent at the end. */
  readonly next?: string | undefined
  readonly isReading: boolean
  readonly failure?: Failure | undefined
  /** Ends the reading with the rows that were found. */
  stop(): void
}

const NOTHING: ReadRows = { rows: [], requests: 0, isReading: false, stop() {} }

/**
 * Reads the rows of a view: request by request, until the page is full. A response may have fewer rows, or none.
 *
 * @param view - the view
 * @param isHeld - whether to wait: for a plan, or for the leave to scan
 * @param version - another number reads the rows again
 */
export function useRows(view: View, isHeld: boolean, version: number): ReadRows {
  const { table, filter, columns, size, token, isScan, isKept } = view
  const [read, setRead] = useState<ReadRows>(NOTHING)
  useEffect(() => {
    if (isHeld) return setRead(NOTHING)
    const stopping = new AbortController()
    const stop = (): void => {
      stopping.abort()
      setRead((before) => ({ ...before, isReading: false }))
    }
    const begun = { ...NOTHING, isReading: true, stop }
    // The rows of the view before stay until the first response, so that the page does not flicker.
    setRead(({ rows }) => ({ ...begun, rows }))
    const readAll = async (): Promise<void> => {
      let found: ReadRows = begun
      let next = token
      do {
        const { length } = found.rows
        const parameters = {
          table,
          filter,
          columns: columns.join(','),
          size: String(size - length),
          token: next,
          scan: isScan ? '1' : undefined,
          kept: isKept ? '1' : undefined,
        }
        const response = await ask<ShownRows>('rows', parameters, stopping.signal)
        next = response.next
        found = {
          ...found,
          rows: [...found.rows, ...response.rows],
          requests: found.requests + 1,
          next,
          isReading: next !== undefined && length + response.rows.length < size,
        }
        setRead(found)
      } while (found.isReading)
    }
    readAll().catch((error) => {
      if (!stopping.signal.aborted) setRead({ ...NOTHING, failure: failureOf(error) })
    })
    return () => stopping.abort()
  }, [table, filter, columns.join(','), size, token, isScan, isKept, isHeld, version])
  return read
}
