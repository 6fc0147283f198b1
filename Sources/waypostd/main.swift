print("waypostd")
