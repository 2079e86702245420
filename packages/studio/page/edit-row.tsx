import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Failure, RowAddress, ShownRow, StudioFacts } from '../src/server/wire.ts'
import { failureOf, send } from './ask-server.ts'
import { CommandLine } from './command-box.tsx'
import { editCommand } from './command-line.ts'
import type { KnownProperty } from './complete-filter.ts'
import { Conflict } from './conflict.tsx'
import { FieldList } from './field-list.tsx'
import { Problem } from './problem.tsx'
import { changesOf, fieldsOf } from './row-fields.ts'

/** A form that changes a row, of the version that was read and of no other. */
export function EditRow(props: {
  readonly facts: StudioFacts
  readonly address: RowAddress
  readonly known: readonly KnownProperty[]
  /** The whole row. */
  readonly row: ShownRow
  readonly onSaved: (row: ShownRow) => void
  /** Called with the row to show; `null` when it was deleted. */
  readonly onCancel: (row: ShownRow | null) => void
}): JSX.Element {
  const { facts, address, known, row, onSaved, onCancel } = props
  const [fields, setFields] = useState(() => fieldsOf(row))
  const [failure, setFailure] = useState<Failure>()
  const [isSending, setSending] = useState(false)
  const changes = changesOf(fields)
  const { set, remove, problem } = changes
  const isChanged = set.length + remove.length > 0
  const save = async (etag: string | undefined): Promise<void> => {
    setSending(true)
    try {
      onSaved(await send<ShownRow>('edit', { ...address, etag, set, remove }))
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setSending(false)
    }
  }
  const stored = failure?.stored
  if (stored !== undefined) {
    const title = stored === null ? 'The row was deleted' : 'The row has changed since you read it'
    return (
      <Conflict title={title} read={row} changes={changes} stored={stored}>
        {stored !== null && (
          <button type="button" class="main" disabled={isSending} onClick={() => save(stored.etag)}>
            Save my changes over the stored row
          </button>
        )}
        <button type="button" onClick={() => onCancel(stored)}>
          Drop my changes
        </button>
      </Conflict>
    )
  }
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault()
        void save(row.etag)
      }}
    >
      <FieldList fields={fields} known={known} onChange={setFields} />
      {problem !== undefined && <p class="wrong">{problem}</p>}
      {failure && <Problem failure={failure} />}
      <div class="buttons">
        <button type="submit" class="main" disabled={!isChanged || isSending}>
          Save
        </button>
        <button type="button" onClick={() => onCancel(row)}>
          Cancel
        </button>
      </div>
      {isChanged && <CommandLine text={editCommand(facts.target, address, { row, set, remove })} />}
    </form>
  )
}
