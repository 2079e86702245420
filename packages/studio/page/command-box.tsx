import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

/** Shows the command that does the same, and copies it. */
export function CommandLine({ text }: { readonly text: string }): JSX.Element {
  const [isCopied, setCopied] = useState<string>()
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <code tabIndex={0}>{text}</code>
      <button type="button" class="quiet" onClick={copy} aria-label="Copy the command">
        {isCopied === text ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
