import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Where the browser remembers that single keys are off. */
const OFF = 'rowkey-studio-single-keys-off'

const KEYS: readonly (readonly [key: string, action: string])[] = [
  ['/', 'goes to the filter'],
  ['t', 'goes to the tables'],
  ['↓ ↑ or j k', 'moves between rows'],
  ['Enter', 'opens a row'],
  ['n p', 'next and previous page'],
  ['e', 'edits the open row'],
  ['i', 'inserts a row'],
  ['Esc', 'closes the row or the list of completions'],
  ['Ctrl+Space', 'completes the filter'],
  ['?', 'shows this'],
]

/** Whether the keys belong to a field, a dialog or the browser. */
function isElsewhere(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null
}

/** Acts on single keys outside of fields, unless the reader has turned them off. */
export function useSingleKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  // Before the page is painted, so that keys always act on what is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isElsewhere(event) || localStorage.getItem(OFF) !== null) return
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

/** Lists the keys, and turns single ones off. */
export function KeyHelp(props: {
  readonly dialog: RefObject<HTMLDialogElement | null>
}): JSX.Element {
  const [isOn, setOn] = useState(() => localStorage.getItem(OFF) === null)
  const change = (): void => {
    if (isOn) localStorage.setItem(OFF, '1')
    else localStorage.removeItem(OFF)
    setOn(!isOn)
  }
  return (
    <dialog ref={props.dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={change} />
        Single keys act outside of fields
      </label>
      <form method="dialog" class="buttons">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
