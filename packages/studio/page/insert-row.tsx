import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, ShownRow, StudioFacts } from '../src/server/wire.ts'
import { failureOf, send } from './ask-server.ts'
import { CommandLine } from './command-box.tsx'
import { insertCommand } from './command-line.ts'
import type { KnownProperty } from './complete-filter.ts'
import { Conflict } from './conflict.tsx'
import { FieldList } from './field-list.tsx'
import { Problem } from './problem.tsx'
import { changesOf, clonedFields } from './row-fields.ts'
import type { OpenRow } from './view.ts'

/** A form that stores a new row, empty or with the values of another one. */
export function InsertRow(props: {
  readonly facts: StudioFacts
  readonly table: string
  readonly known: readonly KnownProperty[]
  /** The row to clone, whole. */
  readonly from: ShownRow | undefined
  readonly onSaved: (row: ShownRow) => void
  readonly onOpen: (row: OpenRow) => void
  readonly onCancel: () => void
}): JSX.Element {
  const { facts, table, known, from, onSaved, onOpen, onCancel } = props
  const title = useRef<HTMLHeadingElement>(null)
  const [partition, setPartition] = useState(from?.partition ?? '')
  const [row, setRow] = useState(from?.row ?? '')
  const [fields, setFields] = useState(() => (from === undefined ? [] : clonedFields(from)))
  const [failure, setFailure] = useState<Failure>()
  const [isSending, setSending] = useState(false)
  useEffect(() => title.current?.focus(), [])
  const changes = changesOf(fields)
  const { set, problem } = changes
  const address = { table, partition, row }
  const save = async (event: Event): Promise<void> => {
    event.preventDefault()
    setSending(true)
    try {
      onSaved(await send<ShownRow>('insert', { ...address, set }))
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <aside aria-labelledby="row-title">
      <header>
        <h2 id="row-title" tabIndex={-1} ref={title}>
          {from === undefined ? `New row of ${table}` : `Clone of ${from.partition} / ${from.row}`}
        </h2>
      </header>
      {failure?.stored ? (
        <Conflict
          title="A row with this key exists"
          read={undefined}
          changes={changes}
          stored={failure.stored}
        >
          <button type="button" class="main" onClick={() => setFailure(undefined)}>
            Back to the form
          </button>
          <button type="button" onClick={() => onOpen({ partition, row })}>
            Open the stored row
          </button>
        </Conflict>
      ) : (
        <form class="edit" onSubmit={save}>
          <div class="field">
            <label for="new-partition">PartitionKey</label>
            <input
              id="new-partition"
              value={partition}
              onInput={(event) => setPartition(event.currentTarget.value)}
            />
          </div>
          <div class="field">
            <label for="new-row">RowKey</label>
            <input
              id="new-row"
              value={row}
              onInput={(event) => setRow(event.currentTarget.value)}
            />
          </div>
          <FieldList fields={fields} known={known} onChange={setFields} />
          {problem !== undefined && <p class="wrong">{problem}</p>}
          {failure && <Problem failure={failure} />}
          <div class="buttons">
            <button type="submit" class="main" disabled={problem !== undefined || isSending}>
              Insert
            </button>
            <button type="button" onClick={onCancel}>
              Cancel
            </button>
          </div>
          <CommandLine text={insertCommand(facts.target, address, set)} />
        </form>
      )}
    </aside>
  )
}
