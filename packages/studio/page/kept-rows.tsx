import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { TableWarning } from '../src/server/wire.ts'
import { ask } from './ask-server.ts'

/** Says before a row is changed that the table has rows which the studio does not keep. */
export function KeptRows({ table }: { readonly table: string }): JSX.Element | null {
  const [warning, setWarning] = useState<string>()
  useEffect(() => {
    const gone = new AbortController()
    setWarning(undefined)
    ask<TableWarning>('warning', { table }, gone.signal)
      .then((found) => setWarning(found.warning))
      // The rows of the table say what is wrong.
      .catch(() => {})
    return () => gone.abort()
  }, [table])
  if (warning === undefined) return null
  return (
    <div class="warning" role="note">
      <p>{warning}</p>
    </div>
  )
}
