import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ShownRow, ShownValue } from '../src/server/wire.ts'
import { compareVersions } from './compare-versions.ts'
import type { RowChanges } from './row-fields.ts'

const BY = { me: 'by you', others: 'by others', both: 'by both' } as const

/** Shows the version that was read, the reader's change, and what is stored, side by side. */
export function Conflict(props: {
  readonly title: string
  /** Absent for an insert. */
  readonly read: ShownRow | undefined
  /** Absent for a delete. */
  readonly changes: RowChanges | undefined
  /** `null` when the row was deleted. */
  readonly stored: ShownRow | null
  /** The buttons. */
  readonly children: ComponentChildren
}): JSX.Element {
  const { title, read, changes, stored, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section class="conflict" aria-labelledby="conflict-title">
      <h3 id="conflict-title" tabIndex={-1} ref={heading}>
        {title}
      </h3>
      <div class="wide">
        <table class="versions">
          <thead>
            <tr>
              <th scope="col">Property</th>
              {read && <th scope="col">You read</th>}
              <th scope="col">You want</th>
              <th scope="col">Stored now</th>
            </tr>
          </thead>
          <tbody>
            {compareVersions(read, changes, stored).map(({ name, by, ...values }) => (
              <tr key={name} class={by === 'both' ? 'clash' : undefined}>
                <th scope="row">
                  {name} {read && <span class="stored">changed {BY[by]}</span>}
                </th>
                {read && <Version value={values.read} />}
                <Version value={values.mine} />
                <Version value={values.stored} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="buttons">{children}</div>
    </section>
  )
}

/** The most characters of a value in the comparison. */
const SHOWN = 300

function Version({ value }: { readonly value: ShownValue | undefined }): JSX.Element {
  if (value === undefined) {
    return (
      <td>
        <i class="empty">missing</i>
      </td>
    )
  }
  const { type, text } = value
  return (
    <td>
      {text === '' ? <i class="empty">empty</i> : <span class="text">{text.slice(0, SHOWN)}</span>}
      {text.length > SHOWN && <span class="cut"> … {text.length} characters</span>}{' '}
      <span class={`type type-${type}`}>{type}</span>
    </td>
  )
}
