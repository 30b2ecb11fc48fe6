module practiceapi.invalid/practiceapi

go 1.19
