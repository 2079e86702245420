'use client'

import { useState } from 'react'
import { readme } from '../readme'
import 'rowkey/embedded'

/** The same program in the browser's part of the build. */
export default function Page() {
  const [done, setDone] = useState('')
  return (
    <button type="button" onClick={() => void readme().then((names) => setDone(names.join(' ')))}>
      {done || 'run'}
    </button>
  )
}
