import type { EdmType } from '@rowkey/odata'
import type { JSX } from 'preact'
import type { KnownProperty } from './complete-filter.ts'
import { emptyField, type RowField, TYPES } from './row-fields.ts'

/** Edits the properties of a row: names of new ones, types and values. */
export function FieldList(props: {
  readonly fields: readonly RowField[]
  /** The properties of the table, which names of new ones complete to. */
  readonly known: readonly KnownProperty[]
  readonly onChange: (fields: readonly RowField[]) => void
}): JSX.Element {
  const { fields, known, onChange } = props
  const offered = known.filter(
    ({ name }) => !isSystem(name) && fields.every((field) => field.name !== name),
  )
  const change = (id: number, part: Partial<RowField>): void =>
    onChange(fields.map((field) => (field.id === id ? { ...field, ...part } : field)))
  const remove = ({ id, before, isRemoved }: RowField): void => {
    if (before === undefined) onChange(fields.filter((field) => field.id !== id))
    else change(id, { isRemoved: !isRemoved })
  }
  const add = (): void => {
    const id = Math.max(-1, ...fields.map((field) => field.id)) + 1
    onChange([...fields, emptyField(id)])
    requestAnimationFrame(() => document.getElementById(`field-name-${id}`)?.focus())
  }
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.id}
          field={field}
          known={known}
          onChange={change}
          onRemove={() => remove(field)}
        />
      ))}
      <datalist id="known-properties">
        {offered.map(({ name, property }) => (
          <option key={name} value={name}>
            {property ?? name}
          </option>
        ))}
      </datalist>
      <button type="button" onClick={add}>
        Add a property
      </button>
    </>
  )
}

const isSystem = (name: string): boolean => /^(?:PartitionKey|RowKey|Timestamp)$/.test(name)

function Field(props: {
  readonly field: RowField
  readonly known: readonly KnownProperty[]
  readonly onChange: (id: number, part: Partial<RowField>) => void
  readonly onRemove: () => void
}): JSX.Element {
  const { field, known, onChange, onRemove } = props
  const { id, name, type, before, isRemoved, isEscaped } = field
  const isChanged = before === undefined || before.text !== field.text || before.type !== type
  const label = name || 'new property'
  return (
    <fieldset class={`field${isChanged ? ' changed' : ''}${isRemoved ? ' removed' : ''}`}>
      <legend class="hidden">{label}</legend>
      {before === undefined ? (
        <input
          id={`field-name-${id}`}
          aria-label="Name"
          placeholder="name"
          value={name}
          list="known-properties"
          onInput={({ currentTarget: { value } }) => {
            const [only, ...others] = known.find((each) => each.name === value)?.types ?? []
            const hasOneType = only !== undefined && others.length === 0
            onChange(id, { name: value, ...(hasOneType && { type: only as EdmType }) })
          }}
        />
      ) : (
        <label for={`field-${id}`}>{name}</label>
      )}
      <select
        aria-label={`Type of ${label}`}
        value={type}
        disabled={isRemoved}
        onChange={(event) => onChange(id, { type: event.currentTarget.value as EdmType })}
      >
        {TYPES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <button
        type="button"
        class="quiet"
        aria-label={`${isRemoved ? 'Keep' : 'Remove'} ${label}`}
        onClick={onRemove}
      >
        {isRemoved ? 'Keep' : 'Remove'}
      </button>
      <ValueField field={field} label={label} onText={(text) => onChange(id, { text })} />
      {isEscaped && (
        <span class="hint">In quotes as JSON has it, because of its control characters.</span>
      )}
    </fieldset>
  )
}

/** Edits a value. Texts may have lines. */
function ValueField(props: {
  readonly field: RowField
  readonly label: string
  readonly onText: (text: string) => void
}): JSX.Element {
  const { field, label, onText } = props
  const { id, type, text, isRemoved } = field
  const shared = {
    id: `field-${id}`,
    'aria-label': `Value of ${label}`,
    disabled: isRemoved,
    spellcheck: false,
    value: text,
  }
  if (type === 'Boolean') {
    const values = ['true', 'false'].includes(text) ? ['true', 'false'] : [text, 'true', 'false']
    return (
      <select
        id={shared.id}
        aria-label={shared['aria-label']}
        disabled={isRemoved}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        {values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    )
  }
  if (type === 'String') {
    const rows = Math.min(8, Math.max(text.split('\n').length, Math.ceil(text.length / 48), 1))
    return (
      <textarea {...shared} rows={rows} onInput={(event) => onText(event.currentTarget.value)} />
    )
  }
  return <input {...shared} onInput={(event) => onText(event.currentTarget.value)} />
}
