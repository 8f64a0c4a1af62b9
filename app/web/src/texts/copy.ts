export const copyTexts = {
  copied: 'Copied',
  done: 'Copied to the clipboard.',
  failed: 'Your browser did not allow it. Select the text and copy it.',
} as const
