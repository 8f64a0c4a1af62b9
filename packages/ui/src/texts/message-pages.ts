import { catalogue } from './catalogue.ts'
export const forbiddenTexts = catalogue('forbidden', {
  title: 'Not allowed',
  heading: '403 Forbidden',
  text: 'Your account does not have access to this page.',
})

export const messagePageTexts = catalogue('messagePage', {
  home: 'Back to the home page',
  notFound: {
    title: 'Not found',
    heading: '404 Not Found',
    text: 'There is nothing at this address. It may have moved, or the link may be mistyped.',
  },
  error: {
    title: 'Something went wrong',
    heading: 'Something went wrong',
    unknown: 'Please try again.',
    settings: 'Go to your profile',
    again: 'Try again',
  },
  failure: {
    heading: 'This page could not be shown',
    text: 'Loading it again usually helps. Your saved data is safe.',
    again: 'Load the page again',
  },
  unchecked: {
    heading: 'We can’t check your login right now',
    text: 'You’re still logged in.',
    again: 'Try again',
  },
  offline: {
    heading: 'You are offline',
    text: 'This page has not been loaded yet. It opens as soon as you are connected again.',
    again: 'Try again',
  },
})
