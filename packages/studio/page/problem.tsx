import type { JSX } from 'preact'
import type { Failure } from '../src/server/wire.ts'

/** Shows why something failed. */
export function Problem({ failure }: { readonly failure: Failure }): JSX.Element {
  const { code, message } = failure.error
  return (
    <div class="problem" role="alert">
      <strong>{code}</strong>
      <p>{message}</p>
    </div>
  )
}
