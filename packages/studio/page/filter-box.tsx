import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { completeFilter, type KnownProperty } from './complete-filter.ts'

/** What the box of the filter needs. */
export interface FilterBoxProps {
  /** The filter of the view. */
  readonly filter: string
  readonly known: readonly KnownProperty[]
  /** Called while the reader types. */
  readonly onType: (filter: string) => void
  readonly onApply: (filter: string) => void
}

/** A field for a filter that completes names, operators and values. */
export function FilterBox({ filter, known, onType, onApply }: FilterBoxProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(filter)
  const [caret, setCaret] = useState<number>()
  const [chosen, setChosen] = useState(-1)
  /** Where the caret goes when the new text is shown. */
  const [moved, setMoved] = useState<number>()
  useEffect(() => setText(filter), [filter])
  const { from, items } =
    caret === undefined ? { from: 0, items: [] } : completeFilter(text.slice(0, caret), known)
  const change = (value: string, at: number | undefined): void => {
    setText(value)
    setCaret(at)
    setChosen(-1)
    onType(value)
  }
  const accept = (item: string): void => {
    const end = from + item.length
    const quote = item.indexOf("'")
    change(`${text.slice(0, from)}${item} ${text.slice(caret).trimStart()}`, undefined)
    // The caret stands between the quotes of a value, or where the next word begins.
    const at = item.endsWith("''") ? from + quote + 1 : end + 1
    setCaret(item.endsWith("'") ? undefined : at)
    setMoved(at)
  }
  useLayoutEffect(() => {
    if (moved === undefined) return
    field.current?.focus()
    field.current?.setSelectionRange(moved, moved)
    setMoved(undefined)
  }, [moved])
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event
    const at = field.current?.selectionStart ?? text.length
    if (key === ' ' && event.ctrlKey) setCaret(at)
    else if (items.length === 0) {
      if (key === 'ArrowDown') setCaret(at)
      return
    } else if (key === 'ArrowDown') setChosen((chosen + 1) % items.length)
    else if (key === 'ArrowUp') setChosen((chosen + items.length) % (items.length + 1) || -1)
    else if ((key === 'Enter' || key === 'Tab') && chosen >= 0) accept(items[chosen]?.text ?? '')
    else if (key === 'Escape') setCaret(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const apply = (event: Event): void => {
    event.preventDefault()
    setCaret(undefined)
    onApply(text.trim())
  }
  return (
    <form class="filter" onSubmit={apply}>
      <label for="filter">Filter</label>
      <div class="combo">
        <input
          ref={field}
          id="filter"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls="completions"
          aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `completion-${chosen}` : undefined}
          aria-describedby="plan"
          autocomplete="off"
          spellcheck={false}
          placeholder="PartitionKey eq 'Smith' and age gt 30"
          value={text}
          onInput={({ currentTarget: { value, selectionStart } }) =>
            change(value, selectionStart ?? value.length)
          }
          onKeyDown={onKeyDown}
          onBlur={() => setCaret(undefined)}
        />
        <div id="completions" role="listbox" aria-label="Completions" hidden={items.length === 0}>
          {items.map(({ text: item, hint }, at) => (
            <div
              key={item}
              id={`completion-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === chosen}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                accept(item)
              }}
            >
              <span>{item}</span> <span class="hint">{hint}</span>
            </div>
          ))}
        </div>
      </div>
      <button type="submit">Apply</button>
      {filter !== '' && (
        <button type="button" class="quiet" onClick={() => onApply('')}>
          Clear
        </button>
      )}
    </form>
  )
}
