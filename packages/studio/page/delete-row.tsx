import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, RowAddress, ShownRow, StudioFacts } from '../src/server/wire.ts'
import { failureOf, send } from './ask-server.ts'
import { CommandLine } from './command-box.tsx'
import { deleteCommand } from './command-line.ts'
import { Conflict } from './conflict.tsx'
import { Problem } from './problem.tsx'

/** Asks before it deletes a row, of the version that was read and of no other. */
export function DeleteRow(props: {
  readonly facts: StudioFacts
  readonly address: RowAddress
  /** The whole row. */
  readonly row: ShownRow
  readonly onDeleted: () => void
  /** Called with the row to show; `null` when another client deleted it. */
  readonly onCancel: (row: ShownRow | null) => void
}): JSX.Element {
  const { facts, address, row, onDeleted, onCancel } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const [failure, setFailure] = useState<Failure>()
  const stored = failure?.stored
  useEffect(() => dialog.current?.showModal(), [])
  const remove = async (etag: string | undefined): Promise<void> => {
    try {
      await send('delete', { ...address, etag })
      dialog.current?.close()
      onDeleted()
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  const keep = (): void => {
    dialog.current?.close()
    onCancel(stored === undefined ? row : stored)
  }
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" onCancel={keep}>
      <h2 id="delete-title">Delete this row of {address.table}?</h2>
      <p>
        <code>{address.partition}</code> / <code>{address.row}</code>
      </p>
      {stored === undefined ? (
        <>
          {failure && <Problem failure={failure} />}
          <CommandLine text={deleteCommand(facts.target, address)} />
          <div class="buttons">
            <button type="button" onClick={keep}>
              Keep it
            </button>
            <button type="button" class="danger" onClick={() => remove(row.etag)}>
              Delete
            </button>
          </div>
        </>
      ) : (
        <Conflict
          title={stored === null ? 'It was deleted' : 'It has changed since you read it'}
          read={row}
          changes={undefined}
          stored={stored}
        >
          <button type="button" onClick={keep}>
            {stored === null ? 'Close' : 'Keep it'}
          </button>
          {stored !== null && (
            <button type="button" class="danger" onClick={() => remove(stored.etag)}>
              Delete the stored row
            </button>
          )}
        </Conflict>
      )}
    </dialog>
  )
}
